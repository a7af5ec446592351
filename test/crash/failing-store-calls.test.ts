import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { FileOps } from "../../src/lib/file-ops.ts";
import { openSessionStore, type SessionRef, type SessionStore } from "../../src/store/index.ts";
import { failingFileOps, sampleSession, testHome, type FileFault, type TestHome } from "../support/index.ts";

interface Scenario extends TestHome {
  session: SessionRef;
  /** The transcript as it was before. */
  original: string;
  open: (files?: FileOps) => SessionStore;
}

function prepare(): Scenario {
  const home = testHome();
  const sample = sampleSession({ cwd: home.cwd });
  const { sessionId, projectKey, path: file } = sample.write(home.configDir);
  const open = (files?: FileOps): SessionStore =>
    openSessionStore({ configDir: home.configDir, home: home.home, ...(files && { files }) });
  return { ...home, session: { sessionId, projectKey, path: file }, original: sample.jsonl(), open };
}

interface Operation {
  name: string;
  /** Done without faults before the operation itself. */
  before?: (scenario: Scenario) => Promise<unknown>;
  run: (store: SessionStore, scenario: Scenario) => Promise<unknown>;
  /** Sessions that may be there afterwards, besides the original. */
  mayAdd?: number;
  /** Whether one that was cut off is finished by asking for it again; else it leaves all as it was, or done. */
  isFinishedAgain?: boolean;
}

const operations: Operation[] = [
  { name: "fork", run: (store, { session }) => store.fork(session), mayAdd: 1 },
  { name: "rename", run: (store, { session }) => store.rename(session, "Another title") },
  {
    name: "move",
    run: async (store, { session, cwd }) =>
      store.move(await store.find(session.sessionId), path.join(cwd, "elsewhere")),
    isFinishedAgain: true,
  },
  { name: "trash", run: (store, { session }) => store.trash(session) },
  {
    name: "restore",
    before: ({ open, session }) => open().trash(session),
    run: (store, { session }) => store.restore(session.sessionId),
  },
];

const faults: FileFault[] = [
  { call: "write", error: "ENOSPC" },
  { call: "write", short: true, error: "EIO" },
  { call: "sync", error: "EIO" },
  { call: "rename", error: "EIO" },
  { call: "link", error: "EIO" },
  { call: "open", error: "EIO" },
];

/** What is wrong afterwards, in words. Gets the session out of the trash when it is there. */
async function problemsOf(scenario: Scenario, { mayAdd = 0 }: Operation): Promise<string[]> {
  const { open, session, original } = scenario;
  const store = open();
  const problems: string[] = [];
  if ((await store.listTrash()).length > 0) await store.restore(session.sessionId);
  const found = await store.list();
  const same = found.filter(({ sessionId }) => sessionId === session.sessionId);
  if (same.length !== 1) problems.push(`the session is there ${same.length} times`);
  if (found.length > 1 + mayAdd) problems.push(`${found.length} sessions are there`);
  for (const { path: file, sessionId, projectKey } of await Promise.all(
    found.map((summary) => store.find(summary.path)),
  )) {
    const text = fs.readFileSync(file, "utf8");
    if (sessionId === session.sessionId && !text.startsWith(original))
      problems.push("the transcript has changed");
    const { entries, rejections } = await store.readConversation({ sessionId, projectKey, path: file });
    if (rejections.length > 1) problems.push(`${rejections.length} lines of ${sessionId} are bad`);
    if (entries.length !== CONVERSATION_ENTRIES) problems.push(`${sessionId} has ${entries.length} entries`);
    const agents = await store.agents({ sessionId, projectKey, path: file });
    if (agents.filter((agent) => agent.path !== undefined).length !== 1)
      problems.push(`${sessionId} has lost its agent`);
  }
  const names = [scenario.configDir, scenario.home].flatMap(namesBelow);
  const litter = names.filter((name) => name.endsWith(".tmp") || name.includes(".lease"));
  if (litter.length > 0) problems.push(`left behind: ${litter.join(" ")}`);
  return problems;
}

const CONVERSATION_ENTRIES = 16;

function namesBelow(dir: string): string[] {
  return fs.existsSync(dir) ? (fs.readdirSync(dir, { recursive: true }) as string[]) : [];
}

const cases = operations.flatMap((operation) =>
  faults.map((fault) => ({ operation, fault, name: operation.name })),
);

test.each(cases)(
  "$name keeps the session whole when the nth call fails, for every n: $fault",
  async ({ operation, fault }) => {
    const attempt = async (n: number): Promise<{ calls: number; problems: string[] }> => {
      const scenario = prepare();
      await operation.before?.(scenario);
      const { files, calls } = failingFileOps(n, fault);
      const failed = await operation.run(scenario.open(files), scenario).then(
        () => false,
        () => true,
      );
      if (failed && operation.isFinishedAgain) await operation.run(scenario.open(), scenario);
      const problems = await problemsOf(scenario, operation);
      if (failed !== n <= calls())
        problems.push(failed ? "it failed without a reason" : "it did not say that it failed");
      return { calls: calls(), problems };
    };
    const whole = await attempt(Infinity);
    expect(whole.problems).toEqual([]);
    const failures: Record<number, string[]> = {};
    for (let n = 1; n <= whole.calls; n++) {
      const { problems } = await attempt(n);
      if (problems.length > 0) failures[n] = problems;
    }
    expect(failures).toEqual({});
  },
);
