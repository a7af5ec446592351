import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir, TranscriptBuilder } from "../../../test/support/index.ts";
import { toolResultsOf } from "../../format/entry-kinds.ts";
import { readConversation } from "../../store/index.ts";
import { writeOwed } from "../../store/owed/owed-answer.ts";
import { openSessionWriter } from "../../store/write/session-writer.ts";
import { checkHealth } from "../check-health.ts";
import { doRepairs } from "../repair/do-repairs.ts";
import { systemClock } from "../../lib/clock.ts";

interface World {
  home: string;
  file: string;
  sessionId: string;
  check(name: string): Promise<object | undefined>;
  repair(): Promise<{ failed: unknown[] }>;
  /** By tool use, what stands in the session as its result. */
  results(): Promise<Record<string, unknown>>;
}

// A session that was left in the middle of a tool, whose result is in the transcript of a query that has ended.
async function leftInTheMiddle(): Promise<World> {
  const [home, configDir, cwd] = [tempDir(), tempDir(), tempDir()];
  const agentId = "s00000001";
  const session = new TranscriptBuilder({ cwd });
  session.prompt("Look");
  session.reply({ type: "tool_use", id: "toolu_lost", name: "Bash", input: {} });
  session.prompt("And now?");
  session.reply({ type: "tool_use", id: "toolu_open", name: "Bash", input: {} });
  const { path: file, sessionId } = session.write(configDir);
  const agent = await openSessionWriter({ home, configDir }, { cwd, sessionId, agentId });
  const after = await agent.append({ type: "user", message: { role: "user", content: "And now?" } });
  await agent.append({
    type: "user",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_open", content: "it was this" }],
    },
  });
  await agent.close();
  // Nobody knows its task any more, and who began it is not this process.
  writeOwed(home, {
    sessionId,
    agentId,
    transcript: agent.session.path,
    after,
    task: { projectKey: "-p", id: agentId },
    at: systemClock.now().toISOString(),
  });
  const note = path.join(home, "owed", sessionId, `${agentId}.json`);
  const owed = JSON.parse(fs.readFileSync(note, "utf8")) as { by: { pid: number; startTime: unknown } };
  fs.writeFileSync(note, JSON.stringify({ ...owed, by: { ...owed.by, pid: 2 ** 22 + 1 } }));
  const report = () => checkHealth({ home, configDir, cwd, isFull: true });
  return {
    home,
    file,
    sessionId,
    check: async (name) => (await report()).checks.find((each) => each.name === name),
    repair: async () => doRepairs((await report()).repairs, { home, clock: systemClock }),
    async results() {
      const { entries } = await readConversation(file);
      const results = entries.flatMap(toolResultsOf);
      return Object.fromEntries(results.map(({ tool_use_id: id, content }) => [id, content]));
    },
  };
}

test("owed-answers says what waits and adds it, before damage is repaired: no result is made up that comes", async () => {
  const world = await leftInTheMiddle();
  expect(await world.check("owed-answers")).toMatchObject({
    status: "warn",
    summary: "1 answer from the background not yet in the session",
    findings: [{ sessionId: world.sessionId, path: world.file }],
  });
  // Only the tool that gets no result any more is a defect.
  expect(await world.check("unanswered-tools")).toMatchObject({
    status: "warn",
    summary: "1 tool use without a result in one transcript",
  });
  expect(await world.repair()).toMatchObject({ failed: [] });
  expect(await world.results()).toEqual({
    toolu_open: "it was this",
    toolu_lost: expect.not.stringContaining("it was this") as unknown,
  });
  expect(await world.check("owed-answers")).toMatchObject({ status: "ok" });
  expect(await world.check("unanswered-tools")).toMatchObject({ status: "ok" });
  expect(fs.existsSync(path.join(world.home, "owed", world.sessionId))).toBe(false);
});

test("owed-answers names a note that cannot be read, and moves it away", async () => {
  const world = await leftInTheMiddle();
  const note = path.join(world.home, "owed", world.sessionId, "s00000002.json");
  for (const damage of ["", "{", "[]", '{"schemaVersion":1}', "null"]) {
    fs.writeFileSync(note, damage);
    expect(await world.check("owed-answers")).toMatchObject({
      status: "warn",
      summary: "1 answer from the background not yet in the session; 1 note of an answer cannot be read",
      findings: [{}, { path: note, text: expect.stringContaining("holdfast show s00000002") as unknown }],
    });
  }
  expect(await world.repair()).toMatchObject({ failed: [] });
  expect(await world.check("owed-answers")).toMatchObject({ status: "ok" });
});
