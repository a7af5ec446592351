import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { sessionOfAgentFile } from "./agent-file.ts";

const sessionOf = (content: string): string | undefined => {
  const file = path.join(tempDir(), "agent-1.jsonl");
  fs.writeFileSync(file, content);
  return sessionOfAgentFile(file);
};

const own = '"sessionId":"own"';
const nested = '{"sessionId":"nested"}';
const long = "x".repeat(10_000);

test.each([
  ["before the message", `{"isSidechain":true,${own},"message":${nested}}\n`],
  ["behind the message", `{"isSidechain":true,"message":${nested},${own}}\n`],
  ["behind a list", `{"list":[${nested},"{"],${own}}\n`],
  ["behind a text that looks like it", `{"text":${JSON.stringify(nested)},${own}}\n`],
  ["behind a long text", `{"text":"${long}",${own}}\n`],
  ["in a line that is cut off behind it", `{${own},"text":"${long}`],
  ["in a line without a newline", `{${own}}`],
  ["where spaces stand", `{ "sessionId" : "own" }\n`],
])("sessionOfAgentFile() finds the session %s", (_where, content) => {
  expect(sessionOf(content)).toBe("own");
});

test.each([
  ["only inside of another object", `{"message":${nested}}\n`],
  ["only in the second line", `{"type":"x"}\n{${own}}\n`],
  ["only as a number", `{"sessionId":1}\n`],
  ["only in part", '{"sessionId":"ow'],
  ["nowhere", ""],
])("sessionOfAgentFile() finds no session that stands %s", (_where, content) => {
  // Of what was read before, nothing is left.
  expect(sessionOf(`{"sessionId":"before","text":"${long}"}\n{${own}}\n`)).toBe("before");
  expect(sessionOf(content)).toBeUndefined();
});
