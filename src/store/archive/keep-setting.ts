import fs from "node:fs";
import { holdfastPaths } from "../../format/paths.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { readConfig } from "../read-config.ts";

/** Whether sessions are to be kept from the client's sweep: `{"keep": true}` in the home's config.json. */
export function isKeepOn(home: string): boolean {
  return readConfig(home).keep === true;
}

/** Sets it; everything else in the file stays. Throws `config_invalid` rather than replace what it cannot read. */
export function setKeep(home: string, isOn: boolean): void {
  const config = { ...readConfig(home), keep: isOn };
  ensurePrivateDir(home);
  writeFileAtomic(holdfastPaths(home).configFile, `${JSON.stringify(config, null, 2)}\n`);
}

/** Notes that the guard ran, so that the hook that would start it once a day need not. */
export function noteKeepRun(home: string): void {
  ensurePrivateDir(home);
  fs.writeFileSync(holdfastPaths(home).keepRunFile, "", { mode: 0o600 });
}
