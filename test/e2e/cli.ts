import { fileURLToPath } from "node:url";
import {
  holdfast,
  sampleSession,
  testHome,
  type HoldfastRun,
  type HoldfastRunOptions,
  type SampleEntry,
  type SampleSessionOptions,
  type TestHome,
  type WrittenSession,
} from "../support/index.ts";

// A clone compiles its sources at every start; a shared cache makes the many starts of these tests cheap.
const compiled = fileURLToPath(new URL("../../.cache/compiled-for-tests", import.meta.url));

/** Runs the real command. */
export function run(args: string[], { env, ...options }: HoldfastRunOptions = {}): Promise<HoldfastRun> {
  return holdfast(args, { ...options, env: { NODE_COMPILE_CACHE: compiled, ...env } });
}

/** What the commands answer with `--json`, all together: a test reads the fields of the command that it ran. */
export interface Answer {
  schemaVersion: number;
  sessionId: string;
  sessions: AnsweredSession[];
  trash: AnsweredSession[];
  entries: SampleEntry[];
  rejections: { offset: number; length: number; reason: string }[];
  path: string;
  lists: { items: unknown[] }[];
  diffs: { kind: string }[];
  commands: { name: string }[];
  error: { code: string; message: string; near?: string[]; candidates?: { sessionId: string }[] };
}

export interface AnsweredSession {
  sessionId: string;
  title: string | null;
}

/** Runs the real command with `--json` and reads its answer. */
export async function runJson(
  args: string[],
  options: HoldfastRunOptions = {},
): Promise<{ code: number | null; json: Answer }> {
  const { code, stdout } = await run([...args, "--json"], options);
  return { code, json: JSON.parse(stdout) as Answer };
}

export interface HomeWithSession {
  home: TestHome;
  session: WrittenSession;
  /** The uuids of the session's entries, in file order. */
  uuids: string[];
}

/** A home with one session of the working directory, made by code. */
export function homeWithSession(options: SampleSessionOptions = {}): HomeWithSession {
  const home = testHome();
  const sample = sampleSession({ cwd: home.cwd, ...options });
  const session = sample.write(home.configDir);
  return { home, session, uuids: sample.entries.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid])) };
}
