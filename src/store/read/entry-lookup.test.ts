import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sampleSession, tempDir, TranscriptBuilder } from "../../../test/support/index.ts";
import { countEntries, readAncestry, readCompactions, readEntry } from "./entry-lookup.ts";

function write(content: string | object[]): string {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(
    file,
    typeof content === "string" ? content : content.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  return file;
}

const node = (uuid: string, parentUuid: string | null, extra: object = {}): object => ({
  type: "user",
  uuid,
  parentUuid,
  ...extra,
});
// The skimmer jumps over long texts; only parsing sees what is wrong in one.
const unparsable = (uuid: string, parentUuid: string, type = "user"): string =>
  `{"type":"${type}","uuid":"${uuid}","parentUuid":"${parentUuid}","text":"${"x".repeat(100)}\u0001"}\n`;
const uuids = (entries: object[]): unknown[] => entries.map((entry) => (entry as { uuid?: string }).uuid);

test("readEntry() reads every entry that has a uuid as it stands in the file", async () => {
  const session = sampleSession();
  const file = write(session.jsonl());
  const nodes = session.entries.filter(({ uuid }) => uuid !== undefined);
  expect(await Promise.all(nodes.map(({ uuid }) => readEntry(file, uuid!)))).toEqual(nodes);
});

test("readEntry() takes the last of several lines with one uuid", async () => {
  const file = write([node("a", null, { version: 1 }), node("a", null, { version: 2 })]);
  expect(await readEntry(file, "a")).toMatchObject({ version: 2 });
});

test.each([["never-written"], [""], ["damaged"]])(
  "readEntry() says that there is no entry %j",
  async (uuid) => {
    const file = write(`${JSON.stringify(node("a", null))}\n${unparsable("damaged", "a")}`);
    await expect(readEntry(file, uuid)).rejects.toMatchObject({
      code: "entry_not_found",
      fields: { uuid, path: file },
    });
  },
);

test("readEntry() says when the file is not there or is none", async () => {
  const dir = tempDir();
  await expect(readEntry(path.join(dir, "x.jsonl"), "a")).rejects.toMatchObject({
    code: "session_not_found",
  });
  await expect(readEntry(dir, "a")).rejects.toMatchObject({ code: "not_a_transcript" });
});

test("readAncestry() goes by parents alone, across compactions, progress and sidechains", async () => {
  const file = write([
    node("a", null),
    node("p", "a", { type: "progress" }),
    node("b", "p"),
    node("x", "a"),
    node("B", null, { type: "system", subtype: "compact_boundary", logicalParentUuid: "b" }),
    node("S", "B", { isCompactSummary: true }),
    node("c", "S"),
  ]);
  expect([
    uuids(await readAncestry(file, "c")),
    uuids(await readAncestry(file, "x")),
    uuids(await readAncestry(file, "a")),
  ]).toEqual([["a", "p", "b", "B", "S", "c"], ["a", "x"], ["a"]]);
});

test("readAncestry() ends where a parent is missing, and once around a circle", async () => {
  const file = write([
    node("a", "gone"),
    node("b", "a"),
    node("c", "e"),
    node("d", "c"),
    node("e", "d"),
    node("f", "f"),
  ]);
  expect(
    await Promise.all(["b", "e", "f"].map(async (uuid) => uuids(await readAncestry(file, uuid)))),
  ).toEqual([["a", "b"], ["c", "d", "e"], ["f"]]);
  await expect(readAncestry(file, "never-written")).rejects.toMatchObject({ code: "entry_not_found" });
});

test("readAncestry() goes on above a line that only parsing refuses", async () => {
  const file = write(
    `${JSON.stringify(node("a", null))}\n${unparsable("b", "a")}${JSON.stringify(node("c", "b"))}\n`,
  );
  expect(uuids(await readAncestry(file, "c"))).toEqual(["a", "c"]);
});

test("countEntries() counts every type by its name, and the lines that are none", async () => {
  const types = [
    "user",
    "user",
    "assistant",
    "progress",
    "custom-title",
    "tag",
    "tag",
    "rejected",
    "constructor",
    "__proto__",
  ];
  const file = write(`${types.map((type) => `{"type":"${type}"}\n`).join("")}\nhello\n{"type":"torn`);
  expect(new Map(Object.entries(await countEntries(file)))).toEqual(
    new Map([
      ["user", 2],
      ["assistant", 1],
      ["progress", 1],
      ["custom-title", 1],
      ["tag", 2],
      ["rejected", 3],
      ["constructor", 1],
      ["__proto__", 1],
    ]),
  );
});

test("countEntries() counts a line of no known type that only parsing refuses as none", async () => {
  expect(await countEntries(write(unparsable("a", "b", "file-history-snapshot")))).toEqual({ rejected: 1 });
});

test("readCompactions() lists each compaction with its summary, in file order", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  const [first] = session.compact("What was said");
  session.prompt("b");
  const [second] = session.compact("What was said next");
  const [cut] = session.compact("never written");
  session.entries.pop();
  const common = { trigger: "auto", preTokens: 150_000, postTokens: undefined };
  expect(await readCompactions(write(session.jsonl()))).toEqual([
    { ...common, uuid: first!.uuid, timestamp: first!["timestamp"], summary: "What was said" },
    { ...common, uuid: second!.uuid, timestamp: second!["timestamp"], summary: "What was said next" },
    { ...common, uuid: cut!.uuid, timestamp: cut!["timestamp"], summary: undefined },
  ]);
});

test("readCompactions() leaves out what only parsing refuses, and reads a boundary that says nothing of itself", async () => {
  const boundary = node("B", null, { type: "system", subtype: "compact_boundary", compactMetadata: null });
  const damaged = unparsable("C", "B", "system").replace('"text"', '"subtype":"compact_boundary","text"');
  expect(await readCompactions(write(`${damaged}${JSON.stringify(boundary)}\n`))).toEqual([
    {
      uuid: "B",
      timestamp: "",
      trigger: undefined,
      preTokens: undefined,
      postTokens: undefined,
      summary: undefined,
    },
  ]);
});
