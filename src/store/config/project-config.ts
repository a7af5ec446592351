import path from "node:path";
import { parseDuration } from "../../lib/parse-duration.ts";
import { configSchema, settings } from "./config-schema.ts";
import { configFiles, readConfigFile, settingIn, type Config, type ConfigPlace } from "./read-config.ts";
import type { Schema } from "./schema.ts";

/** What a project says about settings. */
export interface ProjectConfig {
  file: string;
  config: Config;
  /** What it may not say, by their paths: it is left out. */
  ignored: string[];
}

/** A file comes with the folder, from whoever made that: it may only take away from what is allowed. */
const narrowing = ["permission", "limits"];
const projectSchema: Schema = {
  type: "object",
  properties: Object.fromEntries(narrowing.map((key) => [key, configSchema.properties![key]!])),
};

/**
 * The settings of the folders from here up, the nearest first, without the user's own. Throws `config_invalid` for one that cannot be read: what
 * it takes away is not known then.
 */
export function readProjectConfigs(cwd: string, place: ConfigPlace): ProjectConfig[] {
  // A home may be called .holdfast, and be in a folder above.
  const own = configFiles(place);
  return foldersUp(path.resolve(cwd)).flatMap((dir) => {
    const file = path.join(dir, ".holdfast", "config.json");
    if (own.includes(file)) return [];
    const config = readConfigFile(file, projectSchema);
    const names = Object.keys(config);
    const ignored = names.filter((name) => !narrowing.includes(name));
    return names.length === 0 ? [] : [{ file, config, ignored }];
  });
}

function foldersUp(dir: string): string[] {
  const above = path.dirname(dir);
  return above === dir ? [dir] : [dir, ...foldersUp(above)];
}

/** A setting after what projects take away from it, and the file that did. Undefined is no limit. */
export function narrowed(
  key: string,
  value: unknown,
  projects: readonly ProjectConfig[],
): { value: unknown; file?: string } {
  if (!narrowing.includes(key.split(".")[0]!)) return { value };
  return projects.reduce<{ value: unknown; file?: string }>(
    (now, { config, file }) => {
      const allowed = settingIn(config, key);
      return allowed === undefined || measure(key, now.value) <= measure(key, allowed)
        ? now
        : { value: allowed, file };
    },
    { value },
  );
}

// The more it allows, the larger it is.
function measure(key: string, value: unknown): number {
  if (value === undefined) return Infinity;
  const choices = settings.get(key)?.enum;
  if (choices) return choices.indexOf(value as string);
  return key === "limits.timeout" ? parseDuration(value as string) : (value as number);
}
