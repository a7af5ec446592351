import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The version of this package, from its manifest: above the sources in a clone, above dist/ in the package. */
export function readOwnVersion(): string {
  for (
    let dir = path.dirname(fileURLToPath(import.meta.url));
    dir !== path.dirname(dir);
    dir = path.dirname(dir)
  ) {
    const file = path.join(dir, "package.json");
    if (fs.existsSync(file))
      return (JSON.parse(fs.readFileSync(file, "utf8")) as { version: string }).version;
  }
  throw new Error("Cannot tell the version: the package has no manifest");
}
