import fs from "node:fs/promises";
import path from "node:path";

/** Where a program is on the PATH, or undefined. Relative parts of the PATH are passed over, as nobody means them. */
export async function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const folders = (env["PATH"] ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const folder of folders) {
    const file = path.join(folder, name);
    const isThere = await fs.access(file, fs.constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}
