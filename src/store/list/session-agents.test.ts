import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { tempDir, TranscriptBuilder, type WrittenSession } from "../../../test/support/index.ts";
import type { SampleTool } from "../../../test/support/transcript-builder.ts";
import { listAgents, type SessionAgent } from "./session-agents.ts";

let configDir: string;
let session: TranscriptBuilder;

beforeEach(() => {
  configDir = tempDir();
  session = new TranscriptBuilder();
  session.prompt("hello");
});

const agents = (): Promise<SessionAgent[]> => listAgents(session.write(configDir));
const launch = (extra: Partial<SampleTool> = {}): SampleTool => ({
  name: "Task",
  input: { description: "Look", prompt: "Look around", subagent_type: "Explore" },
  result: "done",
  ...extra,
});

function addFile(name: string, content: string, written: WrittenSession): string {
  const file = path.join(path.dirname(written.path), name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  return file;
}
const lineOf = (sessionId: string): string =>
  `${JSON.stringify({ type: "user", isSidechain: true, sessionId })}\n`;

test("listAgents() joins a nested transcript to the tool use that launched it", async () => {
  const { uses } = session.runAgent("Look around", (agent) => agent.reply("done"));
  const written = session.write(configDir);
  const agentId = session.agents[0]!.agentId!;
  expect(await listAgents(written)).toEqual([
    {
      agentId,
      layout: "nested",
      path: path.join(path.dirname(written.path), written.sessionId, "subagents", `agent-${agentId}.jsonl`),
      agentType: "Explore",
      description: "Look around",
      prompt: "Look around",
      toolUseId: (uses[0]!.message!.content as { id: string }[])[0]!.id,
      launchedBy: uses[0]!.uuid,
      internal: false,
    },
  ]);
});

test("listAgents() takes what stands beside a transcript, over what the launch says", async () => {
  session.runAgent("Look around", () => {});
  const written = session.write(configDir);
  const beside = `${written.sessionId}/subagents/agent-${session.agents[0]!.agentId}.meta.json`;
  addFile(beside, '{"agentType":"Plan","description":7,"spawnDepth":1}', written);
  expect(await listAgents(written)).toMatchObject([
    { agentType: "Plan", description: "Look around", prompt: "Look around" },
  ]);
  addFile(beside, "torn {", written);
  expect(await listAgents(written)).toMatchObject([{ agentType: "Explore" }]);
});

test("listAgents() finds flat transcripts by the session in their first line, and workflow agents in their folder", async () => {
  const { uses } = session.callTools(launch({ toolUseResult: { status: "completed", agentId: "1234abcd" } }));
  const written = session.write(configDir);
  const flat = addFile("agent-1234abcd.jsonl", lineOf(written.sessionId), written);
  addFile("agent-99999999.jsonl", lineOf("another session"), written);
  addFile("agent-empty.jsonl", "", written);
  addFile("agent-damaged.jsonl", "hello\n", written);
  const inWorkflow = addFile(`${written.sessionId}/subagents/workflows/wf_1/agent-aw1.jsonl`, "", written);
  addFile(`${written.sessionId}/subagents/workflows/wf_1/journal.jsonl`, "", written);
  expect(await listAgents(written)).toEqual([
    { agentId: "aw1", layout: "workflow", path: inWorkflow, internal: false },
    expect.objectContaining({ agentId: "1234abcd", layout: "flat", path: flat, launchedBy: uses[0]!.uuid }),
  ]);
});

test("listAgents() finds the session of a flat transcript whose first line is long or cut", async () => {
  const written = session.write(configDir);
  const long = JSON.stringify({
    type: "user",
    message: { content: "x".repeat(300_000) },
    sessionId: written.sessionId,
  });
  addFile("agent-11111111.jsonl", `${long}\n`, written);
  addFile(
    "agent-22222222.jsonl",
    `{"type":"user","sessionId":"${written.sessionId}","message":{"content":"to`,
    written,
  );
  expect((await listAgents(written)).map(({ agentId }) => agentId)).toEqual(["11111111", "22222222"]);
});

test("listAgents() finds sidechains inside the main file, each with the launch that said the same", async () => {
  const { uses } = session.callTools(launch(), launch({ input: { prompt: "Another" } }), launch());
  const leaf = session.leaf;
  const roots = ["Look around", "Look around", "Nobody's"].map((prompt) =>
    session.continueFrom(null).prompt(prompt, { isSidechain: true }),
  );
  session.prompt("more", { isSidechain: true });
  session.continueFrom(leaf);
  const found = await agents();
  expect(
    found.map(({ agentId, layout, rootUuid, launchedBy, prompt, path: file }) => ({
      agentId,
      layout,
      rootUuid,
      launchedBy,
      prompt,
      file,
    })),
  ).toEqual(
    [uses[0]!.uuid, uses[2]!.uuid, undefined].map((launchedBy, index) => ({
      agentId: roots[index]!.uuid,
      layout: "inline",
      rootUuid: roots[index]!.uuid,
      launchedBy,
      prompt: roots[index]!.message!.content,
      file: undefined,
    })),
  );
});

test("listAgents() lists an agent whose transcript is gone, from the result or from its text", async () => {
  session.callTools(
    launch({ toolUseResult: { isAsync: true, status: "async_launched", agentId: "a1111111111111111" } }),
    launch({
      name: "Agent",
      result: "Async agent launched successfully.\nagentId: a2222222222222222 (internal)",
      toolUseResult: {},
    }),
  );
  expect(await agents()).toMatchObject([
    { agentId: "a1111111111111111", layout: "nested", prompt: "Look around" },
    { agentId: "a2222222222222222", layout: "nested", prompt: "Look around" },
  ]);
});

test("listAgents() takes no line that a command printed for an agent", async () => {
  session.callTools({ name: "Bash", input: { command: "cat notes" }, result: "agentId: a3333333333333333" });
  expect(await agents()).toEqual([]);
});

test("listAgents() marks the client's own helpers", async () => {
  const written = session.write(configDir);
  for (const id of ["acompact-123456", "aprompt_suggestion-123456", "a1"])
    addFile(`${written.sessionId}/subagents/agent-${id}.jsonl`, lineOf(written.sessionId), written);
  expect((await listAgents(written)).map(({ agentId, internal }) => [agentId, internal])).toEqual([
    ["a1", false],
    ["acompact-123456", true],
    ["aprompt_suggestion-123456", true],
  ]);
});

test.each<[string, SampleTool]>([
  ["an input that is null", launch({ input: null as never })],
  ["an input of other things", launch({ input: { prompt: 7, description: null, subagent_type: {} } })],
  ["an input that is text", launch({ input: "x" as never })],
])("listAgents() reads a launch with %s", async (_what, tool) => {
  session.callTools({ ...tool, toolUseResult: { agentId: "a1" } });
  const [agent] = await agents();
  expect(Object.keys(agent!).sort()).toEqual(["agentId", "internal", "launchedBy", "layout", "toolUseId"]);
});

test.each([[[null]], [[{ type: "text" }, 7]], [null], [7]])(
  "listAgents() reads a result of %j",
  async (content) => {
    const { results } = session.callTools(launch({ toolUseResult: null as never }));
    const [block] = results[0]!.message!.content as object[];
    results[0]!.message!.content = [{ ...block, content }];
    expect(await agents()).toEqual([]);
  },
);

test("listAgents() lists the agents of a session whose own transcript is gone", async () => {
  session.runAgent("Look around", (agent) => agent.reply("done"));
  const written = session.write(configDir);
  fs.rmSync(written.path);
  expect(await listAgents(written)).toMatchObject([
    { agentId: session.agents[0]!.agentId, layout: "nested", internal: false },
  ]);
});
