import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { randomSession } from "../../../test/support/random-session.ts";
import {
  sampleSession,
  seededRandom,
  startProgram,
  tempDir,
  TranscriptBuilder,
  type SampleEntry,
} from "../../../test/support/index.ts";
import { tailRegionBytes } from "../limits.ts";
import type { Entry } from "../../format/index.ts";
import { openConversation, readConversation } from "./conversation.ts";
import { applyFilter } from "./entry-filter.ts";
import { lastOf } from "./walk-conversation.ts";

const nameOf = (entry: Entry): string =>
  (entry as { uuid?: string }).uuid ?? String((entry as { content?: string }).content);
const uuidsOf = (entries: SampleEntry[]): string[] => entries.map(({ uuid }) => uuid!);

function write(content: string | Buffer | TranscriptBuilder): string {
  const file = path.join(tempDir(), "session.jsonl");
  fs.writeFileSync(file, content instanceof TranscriptBuilder ? content.jsonl() : content);
  return file;
}

test("readConversation() reads a session with everything in it in the order it was held", async () => {
  const session = sampleSession();
  const { entries, gaps, rejections } = await readConversation(write(session));
  const at = (index: number): string =>
    session.entries[index]!.uuid ?? String(session.entries[index]!["content"]);
  // 0 prompt, 1–2 reply, 3–4 uses, 5–6 results, 7 agent's use, 8 its result, 9–10 queue, 11 preserved reply,
  // 12 boundary, 13 summary, 14 prompt, 15 reply, 16 title, 17 closing line.
  const order = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 11, 14, 15, 17];
  expect({ names: entries.map(nameOf), gaps, rejections }).toEqual({
    names: order.map(at),
    gaps: [],
    rejections: [],
  });
});

test("readConversation() gives from the end of a large file what it gives of the whole", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = seededRandom(seed);
    const lines = randomSession(random, { steps: random.between(10, 40), paddingMax: tailRegionBytes / 2 });
    const file = write(lines.map((line) => `${line}\n`).join(""));
    const whole = (await readConversation(file)).entries.map(nameOf);
    for (const last of [0, 1, 2, 3, 5, 8, 13, 21, whole.length, whole.length + 1]) {
      const part = await readConversation(file, { last });
      expect(part.entries.map(nameOf), `seed ${seed}: last ${last}`).toEqual(lastOf(whole, last));
    }
    const context = (await readConversation(file, { mode: "context" })).entries.map(nameOf);
    expect(context, `seed ${seed}: context`).toEqual(lastOf(whole, context.length));
    for (const last of [1, 4, 9]) {
      const part = await readConversation(file, { mode: "context", last });
      expect(part.entries.map(nameOf), `seed ${seed}: context, last ${last}`).toEqual(lastOf(context, last));
    }
  }
});

test("readConversation() reads what passes a filter, and the last so many of that", async () => {
  const file = write(sampleSession());
  const { entries } = await readConversation(file);
  for (const filter of [
    { roles: ["user" as const] },
    { types: ["assistant"] },
    { withoutTools: true, withoutSystem: true },
    { since: new Date((entries[6] as unknown as { timestamp: string }).timestamp) },
  ]) {
    const wanted = entries.flatMap((entry) => applyFilter(entry, filter) ?? []);
    expect(wanted.length).toBeLessThan(entries.length);
    expect((await readConversation(file, { filter })).entries).toEqual(wanted);
    expect((await readConversation(file, { filter, last: 2 })).entries).toEqual(wanted.slice(-2));
  }
});

test("readConversation() takes text about a compaction boundary for text", async () => {
  const session = new TranscriptBuilder();
  const entries = [
    session.prompt('What is "compact_boundary"?'),
    ...session.reply({ type: "tool_use", id: "t", name: "x", input: { subtype: "compact_boundary" } }),
    session.prompt("And this?", { toolUseResult: { type: "system", subtype: "compact_boundary" } }),
  ];
  const read = await readConversation(write(session), { mode: "context" });
  expect(read.entries.map(nameOf)).toEqual(uuidsOf(entries));
});

test("readConversation() gives the model everything while a compaction is cut off before its summary", async () => {
  const session = new TranscriptBuilder();
  const entries = [session.prompt("a"), ...session.reply("b")];
  session.compact("never written");
  session.entries.pop();
  const file = write(session);
  const read = await Promise.all([readConversation(file), readConversation(file, { mode: "context" })]);
  expect(read.map((each) => each.entries.map(nameOf))).toEqual([uuidsOf(entries), uuidsOf(entries)]);
});

test("readConversation() reads a sub-agent's transcript, which consists of sidechain lines", async () => {
  const session = sampleSession();
  const [agent] = session.agents;
  const read = await readConversation(write(agent!));
  expect(read.entries.map(nameOf)).toEqual(uuidsOf(agent!.entries));
});

test.each([
  ["an empty file", ""],
  ["blank lines", "\n \n\r\n"],
  ["lines outside the conversation", '{"type":"summary","summary":"x","leafUuid":"y"}\n{"type":"mode"}\n'],
])("readConversation() reads %s as an empty conversation", async (_what, content) => {
  const file = write(content);
  const empty = { entries: [], gaps: [], rejections: [], elsewhere: undefined };
  const elsewhere = { branches: 0, agents: 0, repeated: 0, rejected: 0, helpers: [], leaves: [] };
  expect([
    await readConversation(file),
    await readConversation(file, { mode: "context" }),
    await readConversation(file, { last: 5 }),
  ]).toEqual([{ ...empty, elsewhere }, empty, empty]);
});

test("readConversation() reports of a part only what stands behind its first entry, however long a torn line is", async () => {
  const session = new TranscriptBuilder();
  const entries = Array.from({ length: 25 }, () => session.prompt("x".repeat(tailRegionBytes / 16)));
  const whole = `not an entry\n${session.jsonl()}`;
  const torn = `{"type":"user","text":"${"x".repeat(tailRegionBytes * 1.8)}`;
  const file = write(whole + torn);
  for (const last of [0, 1]) {
    const read = await readConversation(file, { last });
    const rejections = [{ offset: Buffer.byteLength(whole), length: torn.length, reason: "torn" }];
    expect({ names: read.entries.map(nameOf), rejections: read.rejections }, `last ${last}`).toEqual({
      names: lastOf(uuidsOf(entries), last),
      rejections: last === 0 ? [] : rejections,
    });
  }
});

test("readConversation() reports lines that are none with offset and reason, and goes on around them", async () => {
  const session = new TranscriptBuilder();
  const [first, lost, last] = [session.prompt("a"), session.prompt("b"), session.prompt("c")].map((entry) =>
    JSON.stringify(entry),
  ) as [string, string, string];
  const damaged = [
    first,
    lost.slice(0, 40),
    `${last}${last}`,
    "\0".repeat(50),
    "hello",
    "[1]",
    last,
    '{"type":"us',
  ];
  const { entries, rejections, gaps } = await readConversation(write(damaged.join("\n")));
  let offset = 0;
  const offsets = damaged.map((line) => (offset += line.length + 1) - line.length - 1);
  expect({ names: entries.map(nameOf), rejections, gaps }).toEqual({
    names: [session.entries[0]!.uuid, session.entries[2]!.uuid],
    rejections: [
      { offset: offsets[1], length: 40, reason: "torn" },
      { offset: offsets[2], length: damaged[2]!.length, reason: "glued" },
      { offset: offsets[3], length: 50, reason: "nul-bytes" },
      { offset: offsets[4], length: 5, reason: "not-json" },
      { offset: offsets[5], length: 3, reason: "not-an-object" },
      { offset: offsets[7], length: 11, reason: "torn" },
    ],
    gaps: [{ uuid: session.entries[2]!.uuid, offset: offsets[6], reason: "missing-parent" }],
  });
});

test("readConversation() reports a line of the conversation that only parsing can refuse", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.prompt("b".repeat(100));
  session.prompt("c");
  const broken = session.jsonl().replace("b".repeat(100), `${"b".repeat(99)}\u0001`);
  const { entries, rejections } = await readConversation(write(broken));
  const offset = broken.indexOf("\n") + 1;
  expect({ names: entries.map(nameOf), rejections }).toEqual({
    names: [session.entries[0]!.uuid, session.entries[2]!.uuid],
    rejections: [{ offset, length: broken.indexOf("\n", offset) - offset, reason: "not-json" }],
  });
});

test("readConversation() ends at the leaf that is asked for, and names one that is not there", async () => {
  const session = sampleSession();
  const file = write(session);
  const [a, b, c] = session.entries;
  const read = await readConversation(file, { leaf: c!.uuid });
  expect(read.entries.map(nameOf)).toEqual(uuidsOf([a!, b!, c!]));
  await expect(readConversation(file, { leaf: "never-written" })).rejects.toMatchObject({
    code: "entry_not_found",
    fields: { uuid: "never-written", path: file },
  });
});

test("openConversation() follows a 1.0.x sub-agent inside the main file when it is named, and else leaves it out", async () => {
  const session = new TranscriptBuilder();
  const main = [session.prompt("a"), ...session.reply("b")];
  const leaf = session.leaf;
  session.continueFrom(null);
  const side = [session.prompt("task", { isSidechain: true }), session.prompt("more", { isSidechain: true })];
  session.continueFrom(leaf);
  main.push(session.prompt("c"));
  const file = write(session);
  expect((await readConversation(file)).entries.map(nameOf)).toEqual(uuidsOf(main));
  const named = await readConversation(file, { leaf: side[1]!.uuid });
  expect(named.entries.map(nameOf)).toEqual(uuidsOf(side));
});

test("openConversation() counts messages on other branches of the whole conversation only", async () => {
  const session = new TranscriptBuilder();
  const { uuid } = session.prompt("a");
  session.reply("abandoned");
  session.prompt("abandoned too");
  session.continueFrom(uuid!).reply("b");
  const file = write(session);
  const counted = [];
  for (const options of [{}, { leaf: session.leaf! }, { last: 1 }, { mode: "context" as const }]) {
    const conversation = await openConversation(file, options);
    counted.push(conversation.elsewhere?.branches);
    conversation.close();
  }
  expect(counted).toEqual([2, 2, undefined, undefined]);
});

test("openConversation() names the entry that a reply hangs on, also behind a queued prompt", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  session.reply("b");
  session.queue("enqueue", "typed meanwhile");
  session.queue("remove");
  const conversation = await openConversation(write(session), { last: 1 });
  expect([conversation.leaf, [...conversation.entries()].map(nameOf)]).toEqual([
    session.leaf,
    ["typed meanwhile"],
  ]);
  conversation.close();
  const empty = await openConversation(write(""));
  expect(empty.leaf).toBeUndefined();
  empty.close();
});

test("openConversation() links every parent of its lines, off the path too, and the removals of queued prompts", async () => {
  const session = new TranscriptBuilder();
  session.prompt("a");
  const { results } = session.callTools(
    { name: "Bash", input: {}, result: "1" },
    { name: "Bash", input: {}, result: "2" },
  );
  session.entries.splice(-2);
  const links = results.map((result) => {
    const beside = session.continueFrom(result.parentUuid!).progress({ type: "hook_progress" });
    result.parentUuid = beside.uuid!;
    session.entries.push(result);
    return beside;
  });
  session.queue("enqueue", "typed meanwhile");
  links.push(session.queue("remove"));
  session.continueFrom(results[1]!.uuid!).reply("b");
  const file = write(session);
  const conversation = await openConversation(file);
  const text = fs.readFileSync(file);
  expect(
    conversation.links.map(
      ({ offset, length }) => JSON.parse(text.toString("utf8", offset, offset + length)) as object,
    ),
  ).toEqual(links);
  conversation.close();
});

test("openConversation() stops when its signal says so, and leaves nothing open", async () => {
  const file = write(sampleSession().jsonl().repeat(700));
  const stop = new AbortController();
  const opening = openConversation(file, { signal: stop.signal });
  stop.abort();
  await expect(opening).rejects.toThrow("aborted");
});

test.each([
  ["is not there", (file: string) => fs.rmSync(file), "session_not_found"],
  ["is a folder", (file: string) => (fs.rmSync(file), fs.mkdirSync(file)), "not_a_transcript"],
])("openConversation() says so when the file %s", async (_what, change, code) => {
  const file = write("");
  change(file);
  await expect(openConversation(file)).rejects.toMatchObject({ code });
});

test.skipIf(process.platform !== "linux")(
  "openConversation() keeps its memory small however large the file is",
  async () => {
    const file = path.join(tempDir(), "session.jsonl");
    writeLargeSession(file, 200 * 1024 * 1024);
    const program = startProgram("read-transcript", ["last", "50", file]);
    const ending = await program.ended();
    const [{ lines, peakBytes } = { lines: 0, peakBytes: Infinity }] = program.lines.map(
      (line) => JSON.parse(line) as { lines: number; peakBytes: number },
    );
    expect({ ending, lines, errors: program.errors }).toEqual({
      ending: { code: 0, signal: null },
      lines: 50,
      errors: [],
    });
    expect(peakBytes).toBeLessThan(150 * 1024 * 1024);
  },
);

function writeLargeSession(file: string, bytes: number): void {
  const fd = fs.openSync(file, "w");
  const filler = "x".repeat(4000);
  let parent: string | null = null;
  for (let written = 0, id = 0; written < bytes;) {
    const block: string[] = [];
    for (let i = 0; i < 500; i++, id++) {
      const uuid: string = `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`;
      block.push(
        `${JSON.stringify({ parentUuid: parent, type: "user", uuid, message: { role: "user", content: filler } })}\n`,
      );
      parent = uuid;
    }
    written += fs.writeSync(fd, block.join(""));
  }
  fs.closeSync(fd);
}
