import { execFileSync } from "node:child_process";
import path from "node:path";
import { openCorpus } from "../corpus/open-corpus.ts";
import { openEndedTasks } from "../ended-tasks.ts";
import type { BenchContext, Scale } from "../measure.ts";
import { writeLongSession, type LongSession } from "./long-session.ts";

/** What a dashboard finds on the disk: the home of a user, with the folders of the client and of Holdfast in it. */
export interface DashboardHome {
  readonly userHome: string;
  readonly configDir: string;
  readonly home: string;
  /** How many there are, with the long ones. */
  readonly sessions: number;
  readonly tasks: number;
  readonly long: readonly LongSession[];
}

const TASKS = { full: 10_000, quick: 500 };
/** On the average; a list reads both ends of each. */
const SESSION_BYTES = 50_000;

export function describeHome({ name, sessions }: Scale): string {
  return `${sessions.toLocaleString("en")} sessions and ${TASKS[name].toLocaleString("en")} tasks`;
}

export interface HomeOptions {
  /** Of the long sessions. */
  entries?: readonly number[];
  hasTasks?: boolean;
}

/** Fills a folder. Files that nobody changes are second names for those of the cache: copies would take minutes. */
export function fillDashboardHome(
  context: BenchContext,
  userHome: string,
  { entries = [], hasTasks = true }: HomeOptions,
): DashboardHome {
  const { sessions } = context.scale;
  const bytes = sessions * SESSION_BYTES;
  const corpus = openCorpus({ seed: 5, bytes, sessions, agents: 0, layout: "mixed" }, context);
  const tasks = hasTasks ? TASKS[context.scale.name] : 0;
  const configDir = path.join(userHome, ".claude");
  const home = path.join(userHome, "holdfast");
  execFileSync("cp", ["-al", corpus.configDir, configDir]);
  if (hasTasks) execFileSync("cp", ["-al", openEndedTasks(context, { count: tasks }).home, home]);
  const long = entries.map((count) => writeLongSession(context, configDir, count));
  return { userHome, configDir, home, sessions: sessions + long.length, tasks, long };
}
