import fs from "node:fs";
import { holdfastPaths } from "../../format/paths.ts";
import { isJsonObject } from "../../format/json-object.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { codeOf } from "../../lib/errors.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { storeError } from "../errors.ts";

/** Whether sessions are to be kept from the client's sweep: `{"keep": true}` in the home's config.json. */
export function isKeepOn(home: string): boolean {
  return readConfig(home)["keep"] === true;
}

/** Sets it; everything else in the file stays. Throws `config_invalid` rather than replace what it cannot read. */
export function setKeep(home: string, isOn: boolean): void {
  const config = { ...readConfig(home), keep: isOn };
  ensurePrivateDir(home);
  writeFileAtomic(holdfastPaths(home).configFile, `${JSON.stringify(config, null, 2)}\n`);
}

function readConfig(home: string): Record<string, unknown> {
  const file = holdfastPaths(home).configFile;
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return {};
    throw error;
  }
  try {
    const config: unknown = JSON.parse(text);
    if (isJsonObject(config)) return config;
  } catch {
    /* said below */
  }
  throw storeError("config_invalid", `Cannot read settings "${file}": it is not a JSON object`, {
    fields: { path: file },
  });
}
