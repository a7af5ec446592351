import path from "node:path";
import { configPaths, isSafeName } from "../../format/paths.ts";
import { pathBelow } from "../../lib/path-below.ts";
import { KeyValues } from "./key-values.ts";
import { readCompanion, type CompanionProblem, type CompanionsOf } from "./read-companion.ts";
import { scanTranscript } from "../line/scan-transcript.ts";
import type { Settings } from "./settings.ts";

/** A plan that a session wrote in plan mode. */
export interface Plan {
  slug: string;
  path: string;
  text: string;
  updatedAt: string;
}

export interface Plans {
  /** In the order in which the session began them. */
  plans: Plan[];
  /** Slugs of the session without a file: most sessions have one and never made a plan. */
  withoutFile: string[];
  problems: CompanionProblem[];
}

export interface PlansOptions extends CompanionsOf {
  /** The settings of the folder that the session was held in, for `plansDirectory`. */
  settingsOf?: ((cwd: string | undefined) => Pick<Settings, "plansDirectory">) | undefined;
}

/** The plans of a session, found by the slugs in its entries. */
export async function readPlans({ configDir, session, settingsOf, signal }: PlansOptions): Promise<Plans> {
  const slugs = new KeyValues("slug");
  const cwds = new KeyValues("cwd");
  const visit = (line: Buffer): void => {
    slugs.offer(line);
    cwds.offer(line);
  };
  await scanTranscript(session.path, visit, { signal });
  const [cwd] = cwds.values;
  const dir = plansDir({ configDir, cwd, plansDirectory: settingsOf?.(cwd).plansDirectory });
  const result: Plans = { plans: [], withoutFile: [], problems: [] };
  for (const slug of slugs.values) readPlanInto(result, dir, slug);
  return result;
}

/**
 * The folder that plans are in. As the client does, a `plansDirectory` counts from the project and is only
 * followed inside it; elsewhere the default holds.
 */
export function plansDir({
  configDir,
  cwd,
  plansDirectory,
}: {
  configDir: string;
  cwd?: string | undefined;
  plansDirectory?: string | undefined;
}): string {
  const fallback = configPaths(configDir).plansDir;
  if (cwd === undefined || plansDirectory === undefined) return fallback;
  const dir = path.resolve(cwd, plansDirectory);
  return pathBelow(cwd, dir) === undefined ? fallback : dir;
}

function readPlanInto({ plans, withoutFile, problems }: Plans, dir: string, slug: string): void {
  const file = `${slug}.md`;
  if (!isSafeName(file)) {
    problems.push({ path: slug, reason: "unsafe-name" });
    return;
  }
  const read = readCompanion(path.join(dir, file));
  if (read.kind === "absent") withoutFile.push(slug);
  else if (read.kind === "problem") problems.push(read.problem);
  else {
    const updatedAt = read.stat.mtime.toISOString();
    plans.push({ slug, path: path.join(dir, file), text: read.bytes.toString("utf8"), updatedAt });
  }
}
