import fs from "node:fs";
import path from "node:path";
import { configPaths, isSafeName } from "../../format/paths.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { foldersIn, namesIn } from "../../lib/names-in.ts";
import { unhanging } from "../../lib/read-json.ts";
import { withEnvLine } from "./env-line.ts";

/** Takes our line out of the files that the client gave its hooks for the environment of sessions. */
export function removeEnvLines(configDir: string): void {
  const paths = configPaths(configDir);
  for (const sessionId of foldersIn(paths.sessionEnvRootDir).filter(isSafeName)) {
    const dir = paths.sessionEnvDir(sessionId);
    for (const name of namesIn(dir))
      if (/^sessionstart-hook-\d+\.sh$/.test(name)) setEnvLine(path.join(dir, name));
  }
}

/** Gives such a file our line, or takes it away. The file goes when there is nothing else in it. */
export function setEnvLine(file: string, line?: string): void {
  const text = fs.existsSync(file) ? fs.readFileSync(file, unhanging) : "";
  const wanted = withEnvLine(text, line);
  if (wanted === text) return;
  if (wanted === "") fs.rmSync(file, { force: true });
  else writeFileAtomic(file, wanted, { isDurable: false, mode: 0o644 });
}
