import path from "node:path";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { configFiles, configInvalid, putSetting, readConfigFile, type ConfigPlace } from "./read-config.ts";
import { configSchema } from "./config-schema.ts";
import { whatIsWrong } from "./schema.ts";

/**
 * Changes one setting in the user's own file; undefined takes it away, in the old place, too. Everything else in the files
 * stays. Throws `config_invalid` rather than replace what it cannot read, or write what cannot be used.
 */
export function writeSetting(place: ConfigPlace, key: string, value: unknown): void {
  const [file, ...old] = configFiles(place);
  for (const each of value === undefined ? [file, ...old] : [file]) {
    const before = readConfigFile(each);
    const config: Record<string, unknown> = { ...before };
    putSetting(config, key, value);
    const wrong = whatIsWrong(config, configSchema, "");
    if (wrong !== undefined) throw configInvalid(each, wrong);
    if (JSON.stringify(config) === JSON.stringify(before)) continue;
    ensurePrivateDir(path.dirname(each));
    writeFileAtomic(each, `${JSON.stringify(config, null, 2)}\n`);
  }
}
