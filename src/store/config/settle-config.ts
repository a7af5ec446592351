import { settings, settingVariables } from "./config-schema.ts";
import { narrowed, readProjectConfigs, type ProjectConfig } from "./project-config.ts";
import { configFiles, readConfigFile, settingIn, type ConfigPlace } from "./read-config.ts";

/** One setting, as it holds in a folder. */
export interface Setting {
  key: string;
  /** What it is, in a few words. */
  description: string;
  /** Undefined when nothing is set and nothing holds by default. */
  value: unknown;
  from: SettingSource;
}

export type SettingSource =
  | { kind: "default" }
  | { kind: "variable"; name: string }
  | { kind: "file" | "project"; path: string };

export interface SettledConfig {
  settings: Setting[];
  /** Those of projects that had a say here. */
  projects: ProjectConfig[];
}

/** Every setting with where it comes from: a variable, a file of the user, by default; less what projects take away. */
export function settleConfig(
  place: ConfigPlace & { variables: Readonly<Record<string, string | undefined>> },
  { cwd }: { cwd: string },
): SettledConfig {
  const files = configFiles(place).map((path) => ({ path, config: readConfigFile(path) }));
  const projects = readProjectConfigs(cwd, place);
  const settled = [...settings].map(([key, schema]): Setting => {
    const name = settingVariables[key];
    const variable = name === undefined ? undefined : place.variables[name];
    const file = files.find(({ config }) => settingIn(config, key) !== undefined);
    const own: Pick<Setting, "value" | "from"> =
      name !== undefined && variable
        ? { value: schema.type === "array" ? listOf(variable) : variable, from: { kind: "variable", name } }
        : file
          ? { value: settingIn(file.config, key), from: { kind: "file", path: file.path } }
          : { value: schema.default, from: { kind: "default" } };
    const { value, file: by } = narrowed(key, own.value, projects);
    const from: SettingSource = by === undefined ? own.from : { kind: "project", path: by };
    return { key, description: schema.description ?? "", value, from };
  });
  return { settings: settled, projects };
}

/** A list as a variable or a command line has it. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
