import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { readConversation } from "./conversation.ts";

test("readConversation() leaves out what the client notes of a request, though it repeats the result of a tool", async () => {
  const sessionId = "5e551000-0000-4000-8000-000000000003";
  const result = { type: "tool_result", tool_use_id: "toolu_1", content: "a b c" };
  const use = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
  const messages = [
    { type: "user", message: { role: "user", content: "look" } },
    { type: "assistant", message: { id: "msg_1", role: "assistant", content: [use] } },
    { type: "user", message: { role: "user", content: [result] } },
    { type: "user", message: { role: "user", content: "and?" } },
  ];
  const uuids = messages.map((_, index) => `5e551000-0000-4000-8000-00000000020${index}`);
  const lines: object[] = [];
  for (const [index, message] of messages.entries()) {
    const [uuid, parentUuid] = [uuids[index], uuids[index - 1] ?? null];
    lines.push({ ...message, uuid, parentUuid, sessionId, timestamp: `2026-02-03T04:05:0${index}.000Z` });
  }
  const content = [result, { type: "text", text: "and?" }];
  const note = { type: "api-request-blob", sessionId, hash: "00", message: { role: "user", content } };
  const file = path.join(tempDir(), `${sessionId}.jsonl`);
  fs.writeFileSync(file, [...lines, note].map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { entries } = await readConversation(file);
  expect(entries.map((entry) => (entry as { uuid?: string }).uuid)).toEqual(uuids);
});
