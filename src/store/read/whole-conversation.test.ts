import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  draw,
  drawnAgent,
  drawnSession,
  type DrawnSession,
  type Shape,
} from "../../../test/support/drawn-session.ts";
import { tempDir } from "../../../test/support/index.ts";
import { openConversation, readConversation, type ConversationOptions } from "./conversation.ts";

interface Read {
  said: string[];
  elsewhere: object | undefined;
  gaps: number;
}

function write({ jsonl }: DrawnSession): string {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, jsonl);
  return file;
}

async function read(file: string, options: ConversationOptions = {}): Promise<Read> {
  const conversation = await openConversation(file, options);
  try {
    const said = [...conversation.entries()]
      .filter(({ type }) => type === "user" || type === "assistant")
      .map((entry) => (entry as { uuid: string }).uuid);
    const { branches, agents, repeated, rejected } = conversation.elsewhere ?? {};
    return { said, elsewhere: { branches, agents, repeated, rejected }, gaps: conversation.gaps.length };
  } finally {
    conversation.close();
  }
}

const countsOf = ({ branches, agents, repeated, rejected }: DrawnSession): object => ({
  branches,
  agents,
  repeated,
  rejected,
});

test.each<[Shape]>([
  ["late error"],
  ["two late errors"],
  ["error before and behind a turn"],
  ["error in front of a turn"],
  ["compaction without a boundary"],
  ["compaction with messages preserved behind it"],
  ["compaction whose parent was never written"],
])("openConversation() has all that was said in a session with: %s", async (shape) => {
  const session = draw([
    ["turn", 0],
    [shape, 0],
    ["tools", 1],
    [shape, 0],
    ["turn", 0],
  ]);
  expect(await read(write(session))).toEqual({ said: session.said, elsewhere: countsOf(session), gaps: 0 });
});

test.each<[Shape]>([
  ["compaction and the prompt again"],
  ["compaction, and on from the prompt again"],
  ["compaction without a boundary"],
])("openConversation() has all that was said in a sub-agent with: %s", async (shape) => {
  const agent = draw(
    [
      ["tools", 1],
      [shape, 0],
      ["turn", 0],
      [shape, 0],
    ],
    { agentId: "a1" },
  );
  expect(await read(write(agent))).toEqual({ said: agent.said, elsewhere: countsOf(agent), gaps: 0 });
});

describe("openConversation()", () => {
  test.each([
    ["session", drawnSession],
    ["sub-agent", drawnAgent],
  ])("finds in any %s what was said, and says what else there is", async (_what, drawn) => {
    await fc.assert(
      fc.asyncProperty(drawn, async (session) => {
        const file = write(session);
        const { said, elsewhere } = await read(file);
        expect({ said, elsewhere }).toEqual({ said: session.said, elsewhere: countsOf(session) });
        const messages = session.jsonl
          .split("\n")
          .filter((line) => /^\{.*"type":"(?:user|assistant)".*\}$/.test(line)).length;
        const context = await read(file, { mode: "context" });
        expect(context.said).toEqual(session.context);
        expect(said.length + session.branches + session.agents + session.repeated).toBe(messages);
      }),
      { numRuns: 300 },
    );
  });

  test("gives the end of any of them as the end of the whole", async () => {
    const drawn = fc.tuple(fc.oneof(drawnSession, drawnAgent), fc.integer({ min: 1, max: 12 }));
    await fc.assert(
      fc.asyncProperty(drawn, async ([session, last]) => {
        // Long lines, so that the end of the file is read in pieces.
        const jsonl = session.jsonl.replaceAll('"userType":"external"', `"userType":"${"x".repeat(30_000)}"`);
        const file = write({ ...session, jsonl });
        const uuids = async (options: ConversationOptions): Promise<string[]> =>
          (await readConversation(file, options)).entries.map((entry) => (entry as { uuid: string }).uuid);
        expect(await uuids({ last })).toEqual((await uuids({})).slice(-last));
      }),
      { numRuns: 100 },
    );
  });
});
