import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { randomSession } from "../../../test/support/random-session.ts";
import { seededRandom, tempDir } from "../../../test/support/index.ts";
import { hashId } from "../line/line-table.ts";
import { preservedLines } from "./preserved-lines.ts";
import { parseIntoTable } from "../line/parse-table.ts";
import { findDefaultLeaf } from "./default-leaf.ts";
import { lastOf, needsEarlierLines, walkConversation } from "./walk-conversation.ts";

interface Line {
  type: string;
  uuid?: string;
  [key: string]: unknown;
}

const user = (uuid: string, parentUuid: string | null, extra: object = {}): Line => ({
  type: "user",
  uuid,
  parentUuid,
  message: { role: "user", content: uuid },
  ...extra,
});
const said = (uuid: string, parentUuid: string | null, id: string, tool?: string): Line => ({
  type: "assistant",
  uuid,
  parentUuid,
  message: { role: "assistant", id, content: [tool ? { type: "tool_use", id: tool } : { type: "text" }] },
});
const result = (uuid: string, parentUuid: string, tool: string): Line =>
  user(uuid, parentUuid, { message: { content: [{ type: "tool_result", tool_use_id: tool }] } });
const progress = (uuid: string, parentUuid: string): Line => ({ type: "progress", uuid, parentUuid });
const boundary = (uuid: string, logicalParentUuid: string | null, compactMetadata: object = {}): Line => ({
  type: "system",
  subtype: "compact_boundary",
  uuid,
  parentUuid: null,
  logicalParentUuid,
  compactMetadata,
});
const summary = (uuid: string, parentUuid: string): Line =>
  user(uuid, parentUuid, { isCompactSummary: true });

interface Asked {
  leaf?: string;
  mode?: "full" | "context";
  last?: number;
  /** The line that the table starts at. */
  from?: number;
}

interface Answer {
  /** In conversation order. */
  uuids: string[];
  gaps: string[];
}

/** The walk over a file of these lines; undefined where it asks for earlier ones. */
function walk(lines: (Line | string)[], asked: Asked = {}): Answer | undefined {
  return withFile(lines, (file) => walkFile(file, asked));
}

interface OpenFile {
  fd: number;
  bytes: Buffer;
  /** Where each line starts. */
  starts: number[];
}

function withFile<T>(lines: (Line | string)[], use: (file: OpenFile) => T): T {
  const texts = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  const starts: number[] = [];
  texts.reduce((at, text) => (starts.push(at), at + Buffer.byteLength(text)), 0);
  const name = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(name, texts.join(""));
  const fd = fs.openSync(name, "r");
  try {
    return use({ fd, bytes: fs.readFileSync(name), starts });
  } finally {
    fs.closeSync(fd);
  }
}

function walkFile({ fd, bytes, starts }: OpenFile, asked: Asked): Answer | undefined {
  const { leaf, mode = "full", last, from = 0 } = asked;
  const table = parseIntoTable(fd, { from: starts[from]!, to: bytes.length });
  const line = leaf === undefined ? findDefaultLeaf(table) : table.findByUuid(hashId(Buffer.from(leaf)));
  if (line === undefined || line === needsEarlierLines) return undefined;
  const preservedBy = (each: number): ReturnType<typeof preservedLines> => preservedLines(table, fd, each);
  const found = walkConversation(table, { leaf: line, mode, last, preservedBy });
  if (found === needsEarlierLines) return undefined;
  const uuidOf = (each: number): string => {
    const text = bytes.toString("utf8", table.offset[each], table.offset[each]! + table.length[each]!);
    return (JSON.parse(text) as { uuid: string }).uuid;
  };
  return {
    uuids: found.lines.map(uuidOf),
    gaps: found.gaps.map(
      ({ line: at, reason, bridgedTo }) =>
        `${uuidOf(at)} ${reason} ${bridgedTo === undefined ? "-" : uuidOf(bridgedTo)}`,
    ),
  };
}

const order = (lines: (Line | string)[], asked?: Asked): string | undefined =>
  walk(lines, asked)?.uuids.join(" ");

test("walkConversation() puts parallel results behind their uses, whichever came first", () => {
  const uses = [
    user("q", null),
    said("a1", "q", "m", "t1"),
    said("a2", "a1", "m", "t2"),
    said("a3", "a2", "m", "t3"),
  ];
  const results = [result("r1", "a1", "t1"), result("r2", "a2", "t2"), result("r3", "a3", "t3")];
  const [r1, r2, r3] = results as [Line, Line, Line];
  const reply = (parent: string): Line => said("b", parent, "n");
  expect([
    order([...uses, r1, r2, r3, reply("r3")]),
    order([...uses, r3, r1, r2, reply("r2")]),
    order([...uses, r3, r2, r1, reply("r3")]),
    order([...uses, r2, r1, reply("r1"), r3]),
  ]).toEqual([
    "q a1 a2 a3 r1 r2 r3 b",
    "q a1 a2 a3 r3 r1 r2 b",
    "q a1 a2 a3 r3 r2 r1 b",
    "q a1 a2 a3 r2 r1 r3",
  ]);
});

test("walkConversation() never puts a result past the next prompt, answer or compaction", () => {
  const late = result("late", "a", "t");
  const use = [user("q", null), said("a", "q", "m", "t")];
  expect([
    order([...use, user("p", "a"), late, said("b", "p", "n")]),
    order([...use, said("b", "a", "n"), late, user("p", "b")]),
    order([...use, boundary("B", "a"), late, summary("S", "B"), said("b", "S", "n")]),
  ]).toEqual(["q a late p b", "q a late b p", "q a late B S b"]);
});

test("walkConversation() leaves lines of other messages and other branches out", () => {
  const lines = [
    user("q", null),
    said("a1", "q", "m"),
    said("a2", "a1", "m"),
    said("x", "q", "other", "t"),
    result("xr", "x", "t"),
    user("p", "a1"),
  ];
  expect(order(lines)).toBe("q a1 a2 p");
});

test("walkConversation() keeps lines that stand between the blocks of one message", () => {
  const lines = [
    user("q", null),
    said("a1", "q", "m", "t1"),
    progress("g", "a1"),
    result("r1", "g", "t1"),
    said("a2", "r1", "m", "t2"),
    result("r2", "a2", "t2"),
  ];
  expect(order(lines)).toBe("q a1 r1 a2 r2");
});

test.each<[string, Line[], Answer]>([
  [
    "a line that is its own parent",
    [user("a", null), user("b", "b")],
    { uuids: ["a", "b"], gaps: ["b cycle a"] },
  ],
  ["a circle of two", [user("a", "b"), user("b", "a")], { uuids: ["a", "b"], gaps: ["a cycle -"] }],
  [
    "a circle with a tail",
    [user("a", null), user("b", "d"), user("c", "b"), user("d", "c"), user("e", "d")],
    { uuids: ["a", "b", "c", "d", "e"], gaps: ["b cycle a"] },
  ],
  [
    "a parent that is not in the file",
    [user("a", null), user("b", "a"), user("c", "gone"), user("d", "c")],
    { uuids: ["a", "b", "c", "d"], gaps: ["c missing-parent b"] },
  ],
  [
    "a first line whose parent is missing",
    [user("a", "gone"), user("b", "a")],
    { uuids: ["a", "b"], gaps: ["a missing-parent -"] },
  ],
  [
    "a parent written behind its child",
    [user("a", null), user("c", "b"), user("b", "a"), user("d", "c")],
    { uuids: ["a", "b", "c", "d"], gaps: [] },
  ],
  [
    "a boundary whose logical parent is not in the file",
    [user("a", null), boundary("B", "gone"), summary("S", "B")],
    { uuids: ["a", "B", "S"], gaps: ["B missing-parent a"] },
  ],
  [
    "a boundary without any parent",
    [user("a", null), boundary("B", null), summary("S", "B")],
    { uuids: ["a", "B", "S"], gaps: ["B missing-parent a"] },
  ],
  [
    "a file that begins with a boundary",
    [boundary("B", null), summary("S", "B")],
    { uuids: ["B", "S"], gaps: [] },
  ],
])("walkConversation() goes on from %s", (_what, lines, answer) => {
  expect(walk(lines)).toEqual(answer);
});

test("walkConversation() goes around a torn line, and does not leave for a sub-agent's lines", () => {
  const side = { isSidechain: true };
  const lines = [
    user("a", null),
    user("s", null, side),
    '{"type":"user","uuid":"torn',
    user("b", "torn"),
    user("t", "gone", side),
  ];
  expect([walk(lines), walk(lines, { leaf: "t" })]).toEqual([
    { uuids: ["a", "b"], gaps: ["b missing-parent a"] },
    { uuids: ["s", "t"], gaps: ["t missing-parent s"] },
  ]);
});

test("walkConversation() takes of a line that was written twice only the last one", () => {
  const use = said("a", "q", "m", "t");
  const answer = result("r", "a", "t");
  const torn = user("p", "gone");
  expect([
    order([user("q", null), use, answer, use, answer, user("p", "r")]),
    order([user("q", null), use, answer, use, said("b", "a", "m")]),
    order([user("q", null), user("x", "q"), user("x", "q"), torn]),
  ]).toEqual(["q a r p", "q a r b", "q x p"]);
});

const messages = (anchorUuid: string, ...uuids: string[]): object => ({
  preservedMessages: { anchorUuid, uuids },
});
const segment = (anchorUuid: string, headUuid: string, tailUuid: string): object => ({
  preservedSegment: { anchorUuid, headUuid, tailUuid },
});

test.each([
  ["named one by one", messages("S", "b", "c")],
  ["named as a chain", segment("S", "b", "c")],
])("walkConversation() puts preserved messages, %s, behind the summary", (_how, metadata) => {
  const lines = (parent: string): Line[] => [
    user("a", null),
    said("b", "a", "m"),
    user("c", "b"),
    boundary("B", "c", metadata),
    summary("S", "B"),
    said("d", parent, "n"),
  ];
  expect([
    order(lines("c")),
    order(lines("S")),
    order(lines("c"), { mode: "context" }),
    order(lines("S"), { mode: "context" }),
    order(lines("c"), { leaf: "c" }),
  ]).toEqual(["a B S b c d", "a B S b c d", "B S b c d", "B S b c d", "a b c"]);
});

test("walkConversation() shows every compaction when the same messages were preserved again and again", () => {
  const lines = [
    user("a", null),
    user("b", "a"),
    boundary("B1", "b", messages("S1", "b")),
    summary("S1", "B1"),
    said("c", "b", "m"),
    boundary("B2", "c", messages("S2", "b", "c")),
    summary("S2", "B2"),
    boundary("B3", "c", segment("S3", "b", "c")),
    summary("S3", "B3"),
    user("d", "c"),
  ];
  expect([order(lines), order(lines, { mode: "context" })]).toEqual([
    "a B1 S1 B2 S2 B3 S3 b c d",
    "B3 S3 b c d",
  ]);
});

test("walkConversation() ends when preserved messages are each other's parents", () => {
  const lines = [
    user("a", null),
    user("b", "c"),
    user("c", "b"),
    boundary("B", "c", messages("S", "b", "c")),
    summary("S", "B"),
    user("d", "c"),
  ];
  expect(walk(lines)).toEqual({ uuids: ["a", "B", "S", "b", "c", "d"], gaps: ["B cycle a"] });
});

test("walkConversation() does not reach behind the boundary for a message that goes on behind it", () => {
  const lines = [
    user("q", null),
    said("a1", "q", "m"),
    said("a2", "a1", "m", "t"),
    result("r", "a2", "t"),
    boundary("B", "r", messages("S", "a2", "r")),
    summary("S", "B"),
    said("a3", "r", "m"),
  ];
  expect([order(lines), order(lines, { mode: "context" })]).toEqual(["q a1 B S a2 r a3", "B S a2 r a3"]);
});

test("walkConversation() counts no progress among the last lines, preserved ones neither", () => {
  const lines = [
    user("a", null),
    user("b", "a"),
    progress("g", "b"),
    user("c", "g"),
    boundary("B", "c", segment("S", "b", "c")),
    summary("S", "B"),
    user("d", "c"),
  ];
  expect([1, 2, 3, 4, 5, 6, 7].map((last) => order(lines, { last }))).toEqual([
    "d",
    "c d",
    "b c d",
    "S b c d",
    "B S b c d",
    "a B S b c d",
    "a B S b c d",
  ]);
});

test("walkConversation() asks for earlier lines rather than guess what a summary preserved", () => {
  const lines = [user("a", null), boundary("B", "a", messages("S", "a")), summary("S", "B"), user("b", "S")];
  expect([3, 2, 1, 0].map((from) => order(lines, { from, last: 3 }))).toEqual([
    undefined,
    undefined,
    undefined,
    "S a b",
  ]);
  expect([3, 2].map((from) => order(lines, { from, last: 1 }))).toEqual(["b", "b"]);
});

test("findDefaultLeaf() takes the last message of the main chain, or what hangs behind it", () => {
  const side = { isSidechain: true };
  const closing: Line = { type: "system", subtype: "turn_duration", uuid: "z", parentUuid: "b" };
  const start = [user("a", null), said("b", "a", "m")];
  expect([
    order([...start, user("s", null, side)]),
    order([...start, closing]),
    order([...start, { ...closing, parentUuid: "elsewhere" }]),
    order([user("s", null, side), user("t", "s", side)]),
    order([{ type: "custom-title", customTitle: "x" }, closing]),
    order([{ type: "custom-title", customTitle: "x" }]),
  ]).toEqual(["a b", "a b z", "a b", "s t", "z", undefined]);
});

test("findDefaultLeaf() takes no boundary that its summary does not follow", () => {
  const lines = [user("a", null), boundary("B", "a"), summary("S", "B"), user("b", "S"), boundary("C", "b")];
  const dangling = [...lines.slice(0, -1), boundary("C", "gone")];
  expect([lines, dangling].map((each) => [order(each), order(each, { mode: "context" })])).toEqual([
    ["a B S b", "B S b"],
    ["a B S b", "B S b"],
  ]);
  expect([4, 3, 1].map((from) => order(lines, { mode: "context", from }))).toEqual([
    undefined,
    undefined,
    "B S b",
  ]);
});

test("findDefaultLeaf() says nothing of a part of a file that holds no message of the main chain", () => {
  const side = { isSidechain: true };
  const closing: Line = { type: "system", subtype: "turn_duration", uuid: "z", parentUuid: "gone" };
  const lines = [user("a", null), user("s", null, side), closing];
  expect([2, 1, 0].map((from) => order(lines, { from, last: 1 }))).toEqual([undefined, undefined, "a"]);
});

test("walkConversation() costs a long message with many lines on and off the path no more than seconds", () => {
  const lines: Line[] = [user("q", null)];
  for (let i = 0; i < 10_000; i++)
    lines.push(said(`a${i}`, i === 0 ? "q" : `a${i - 1}`, "m"), said(`x${i}`, "q", "m"));
  const startedAt = performance.now();
  expect(walk(lines, { leaf: "a9999" })?.uuids.length).toBe(20_001);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test("walkConversation() gives for any part of any session the end of what it gives for the whole", () => {
  for (let seed = 1; seed <= 150; seed++) {
    const lines = randomSession(seededRandom(seed));
    withFile(lines, (file) => {
      const whole = walkFile(file, {})?.uuids ?? [];
      const context = walkFile(file, { mode: "context" })?.uuids ?? [];
      expect(lastOf(whole, context.length), `seed ${seed}: context`).toEqual(context);
      for (let from = 0; from < lines.length; from++) {
        const asked: Asked[] = [1, 2, 3, 5, 8, 13, whole.length, whole.length + 1].map((last) => ({ last }));
        for (const each of [...asked, { mode: "context" as const }]) {
          const part = walkFile(file, { ...each, from })?.uuids;
          const end = each.mode === "context" ? context : lastOf(whole, each.last!);
          expect(part ?? end, `seed ${seed}: ${JSON.stringify(each)} from line ${from}`).toEqual(end);
        }
      }
    });
  }
});

test("walkConversation() returns each entry of a damaged file at most once", () => {
  for (let seed = 1; seed <= 400; seed++) {
    const lines = randomSession(seededRandom(seed), { isDamaged: true });
    for (const mode of ["full", "context"] as const) {
      const { uuids = [] } = walk(lines, { mode }) ?? {};
      expect(uuids.length, `seed ${seed} ${mode}`).toBe(new Set(uuids).size);
    }
  }
});

test("lastOf() returns none when none are asked for, and all when more are", () => {
  expect([0, 1, 2, 3].map((count) => lastOf(["a", "b"], count))).toEqual([[], ["b"], ["a", "b"], ["a", "b"]]);
});
