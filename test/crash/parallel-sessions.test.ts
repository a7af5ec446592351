import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { configPaths, projectKey } from "../../src/format/paths.ts";
import { openSessionStore, readConversation } from "../../src/store/index.ts";
import { startProgram, testHome } from "../support/index.ts";

const SESSIONS = ["11111111-0000-4000-8000-000000000001", "11111111-0000-4000-8000-000000000002"];
const WRITERS = SESSIONS.flatMap((sessionId) => [
  { sessionId, agentId: undefined },
  { sessionId, agentId: "a0000000000000001" },
  { sessionId, agentId: "a0000000000000002" },
]);
const ENTRIES = 100;

function fileOf(at: { configDir: string; cwd: string }, writer: (typeof WRITERS)[number]): string {
  const paths = configPaths(at.configDir);
  const ref = { projectKey: projectKey(at.cwd), sessionId: writer.sessionId };
  return writer.agentId === undefined
    ? paths.transcriptPath(ref)
    : paths.nestedAgentPath({ ...ref, agentId: writer.agentId });
}

async function contentsOf(
  file: string,
): Promise<{ contents: unknown[]; rejections: object[]; gaps: object[] }> {
  const { entries, rejections, gaps } = await readConversation(file);
  const contents = entries.map((entry) => (entry as { message?: { content?: unknown } }).message?.content);
  return { contents, rejections, gaps };
}

const wanted = (agentId = "main"): object => ({
  contents: Array.from({ length: ENTRIES }, (_, n) => `${agentId} ${n}`),
  rejections: [],
  gaps: [],
});

test(`openWriter() serves ${WRITERS.length} processes that append to two sessions and their agents at a time`, async () => {
  const at = testHome();
  const programs = WRITERS.map(({ sessionId, agentId }) =>
    startProgram("append-some", [
      at.configDir,
      at.home,
      at.cwd,
      String(ENTRIES),
      sessionId,
      ...(agentId ? [agentId] : []),
    ]),
  );
  const endings = await Promise.all(programs.map((program) => program.ended()));
  expect(programs.flatMap(({ errors }) => errors)).toEqual([]);
  expect(endings).toEqual(WRITERS.map(() => ({ code: 0, signal: null })));
  for (const writer of WRITERS) expect(await contentsOf(fileOf(at, writer))).toEqual(wanted(writer.agentId));
  expect(fs.readdirSync(path.join(at.home, "leases"))).toEqual([]);
});

test("openWriter() serves many sessions and agents at a time in one process", async () => {
  const at = testHome();
  const store = openSessionStore(at);
  await Promise.all(
    WRITERS.map(async ({ sessionId, agentId }, index) => {
      const durability = (["none", "flush", "sync"] as const)[index % 3]!;
      await using writer = await store.openWriter({ cwd: at.cwd, sessionId, agentId, durability });
      const append = (n: number): Promise<string> =>
        writer.append({ type: "user", message: { role: "user", content: `${agentId ?? "main"} ${n}` } });
      await Promise.all(Array.from({ length: ENTRIES }, (_, n) => append(n)));
    }),
  );
  for (const writer of WRITERS) expect(await contentsOf(fileOf(at, writer))).toEqual(wanted(writer.agentId));
});
