import { describe, expect, test } from "vitest";
import { salvageAttemptsMax } from "./limits.ts";
import { salvageLine } from "./salvage-line.ts";

const entry = (text: string): string =>
  JSON.stringify({
    type: "user",
    uuid: text,
    parentUuid: null,
    sessionId: "s",
    message: { content: `{"${text}"}` },
  });
const title = JSON.stringify({ type: "custom-title", customTitle: 'a "title" \\' });
// What a client wrote between 2.1.12 and 2.1.81: a sub-agent's message, whole, inside an entry of its own.
const progress = JSON.stringify({
  type: "progress",
  data: {
    type: "agent_progress",
    message: { type: "assistant", uuid: "inner", timestamp: "t", message: { content: [] } },
  },
  uuid: "outer",
  parentUuid: "p",
  sessionId: "s",
});

function salvaged(line: string): string[] {
  return salvageLine(Buffer.from(line)).map(String);
}

describe("salvageLine()", () => {
  const cases: [what: string, line: string, whole: string[]][] = [
    ["every entry of glued lines", entry("a") + title + entry("b"), [entry("a"), title, entry("b")]],
    ["nothing of a torn entry", entry("a").slice(0, -1), []],
    ["the entry that was written behind a torn one", entry("a").slice(0, 70) + entry("b"), [entry("b")]],
    ["no message that is part of a torn entry", progress.slice(0, -20), []],
    [
      "no block that is part of a torn entry",
      '{"type":"assistant","message":{"content":[{"type":"text","text":"x"}',
      [],
    ],
    ["an entry between zero bytes", `\0\0\0${entry("a")}\0\0${title}\0`, [entry("a"), title]],
    ["an entry with zero bytes inside, without them", entry("ab").replaceAll("ab", "a\0\0b"), [entry("ab")]],
    ["nothing of what is no entry", '<<<<<<< {"a":1} [{"type":1}]', []],
    ["nothing of nothing", "", []],
  ];
  test.each(cases)("saves %s", (_, line, whole) => {
    expect(salvaged(line)).toEqual(whole);
  });

  test("gives up on a line that is nothing but beginnings", () => {
    const line = '{"'.repeat(salvageAttemptsMax * 2) + entry("a");
    expect(salvaged(line)).toEqual([]);
  });
});
