import fs from "node:fs";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { readConfig, type ConfigPlace } from "../config/read-config.ts";

/** Whether sessions are to be kept from the client's sweep: the setting `keep`. */
export function isKeepOn(place: ConfigPlace): boolean {
  return readConfig(place).keep === true;
}

/** Notes that the guard ran, so that the hook that would start it once a day need not. */
export function noteKeepRun(home: string): void {
  ensurePrivateDir(home);
  fs.writeFileSync(holdfastPaths(home).keepRunFile, "", { mode: 0o600 });
}
