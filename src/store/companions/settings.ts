import { isJsonObject } from "../../format/json-object.ts";
import { configPaths, projectSettingsFiles } from "../../format/paths.ts";
import { readJsonCompanion, type CompanionProblem } from "./read-companion.ts";

/** The client's settings as they are in force for a folder. */
export interface Settings {
  values: Record<string, unknown>;
  /** Days after which the client deletes transcripts and companions. */
  cleanupPeriodDays: number;
  /** As written; `plansDir` says which folder it means. */
  plansDirectory?: string;
  /** The files that count, strongest first. */
  files: string[];
  problems: CompanionProblem[];
}

export interface SettingsOptions {
  configDir: string;
  /** The project; without it only what holds for every project counts. */
  cwd?: string | undefined;
  /** Settings given on the command line; stronger than every file but the managed one. */
  flags?: Record<string, unknown> | undefined;
  managedFile?: string | undefined;
}

const CLEANUP_PERIOD_DAYS = 30;

/**
 * Reads every settings file and merges them: a stronger file wins key by key, objects merge, lists are
 * joined without repeats. A file that is not valid counts as absent and is reported.
 */
export function readSettings(options: SettingsOptions): Settings {
  const { flags, managedFile = managedSettingsFile(process.platform) } = options;
  const problems: CompanionProblem[] = [];
  const files: string[] = [];
  const read = (file: string): Record<string, unknown>[] => {
    const value = readJsonCompanion(file, problems);
    if (value === undefined) return [];
    if (!isJsonObject(value)) {
      problems.push({ path: file, reason: "wrong-shape" });
      return [];
    }
    files.push(file);
    return [value];
  };
  const strongestFirst = [
    ...read(managedFile),
    ...(flags ? [flags] : []),
    ...projectAndUserFiles(options).flatMap(read),
  ];
  const values = strongestFirst.reduceRight<Record<string, unknown>>(mergeObjects, {});
  const { cleanupPeriodDays: days, plansDirectory } = values;
  return {
    values,
    cleanupPeriodDays: typeof days === "number" && days >= 0 ? days : CLEANUP_PERIOD_DAYS,
    ...(typeof plansDirectory === "string" && { plansDirectory }),
    files,
    problems,
  };
}

function projectAndUserFiles({ configDir, cwd }: SettingsOptions): string[] {
  const user = configPaths(configDir).settingsFile;
  if (cwd === undefined) return [user];
  const { local, shared } = projectSettingsFiles(cwd);
  return [local, shared, user];
}

/** Where an administrator's settings are; the same for every user of the machine. */
function managedSettingsFile(platform: NodeJS.Platform): string {
  switch (platform) {
    case "darwin":
      return "/Library/Application Support/ClaudeCode/managed-settings.json";
    case "win32":
      return "C:\\Program Files\\ClaudeCode\\managed-settings.json";
    default:
      return "/etc/claude-code/managed-settings.json";
  }
}

function mergeObjects(
  weak: Record<string, unknown>,
  strong: Record<string, unknown>,
): Record<string, unknown> {
  const merged = new Map(Object.entries(weak));
  for (const [key, value] of Object.entries(strong)) merged.set(key, mergeValues(merged.get(key), value));
  return Object.fromEntries(merged);
}

function mergeValues(weak: unknown, strong: unknown): unknown {
  if (isJsonObject(weak) && isJsonObject(strong)) return mergeObjects(weak, strong);
  if (!Array.isArray(weak) || !Array.isArray(strong)) return strong;
  const joined = new Map([...strong, ...weak].map((item): [string, unknown] => [JSON.stringify(item), item]));
  return [...joined.values()];
}
