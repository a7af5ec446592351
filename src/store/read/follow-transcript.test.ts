import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { seededRandom, tempDir, waitFor } from "../../../test/support/index.ts";
import { followedLinesMax } from "../limits.ts";
import { followTranscript, type FollowEvent } from "./follow-transcript.ts";

let file: string;
let stop: AbortController;
let following: Promise<void> | undefined;

beforeEach(() => {
  file = path.join(tempDir(), "session.jsonl");
  stop = new AbortController();
  following = undefined;
});

afterEach(async () => {
  stop.abort();
  await following;
});

type Given = Exclude<FollowEvent, { kind: "rewound" }>;
const offsetOf = (event: Given): number => (event.kind === "entry" ? event.offset : event.rejection.offset);

/** What a consumer holds that drops what is taken back, and everything that it was told. */
function follow(from?: number): { held: Given[]; events: FollowEvent[] } {
  const held: Given[] = [];
  const events: FollowEvent[] = [];
  following = (async () => {
    for await (const event of followTranscript(file, { signal: stop.signal, from })) {
      events.push(event);
      if (event.kind !== "rewound") held.push(event);
      else while (held.length > 0 && offsetOf(held.at(-1)!) >= event.to) held.pop();
    }
  })();
  return { held, events };
}

/** What reading the file whole gives: entries by name, rejections by reason, a last line that is unfinished not at all. */
function whole(from = 0): string[] {
  const text = fs.existsSync(file) ? fs.readFileSync(file, "latin1").slice(from) : "";
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    try {
      return line === "" ? [] : [(JSON.parse(line) as { name: string }).name];
    } catch {
      return index === lines.length - 1 ? [] : ["rejected"];
    }
  });
}
const names = (held: Given[]): string[] =>
  held.map((event) =>
    event.kind === "entry" ? (event.entry as unknown as { name: string }).name : "rejected",
  );

async function sameAsWhole(held: Given[]): Promise<void> {
  await waitFor(() => JSON.stringify(names(held)) === JSON.stringify(whole()));
}

const line = (name: string, padding = 0): string =>
  `${JSON.stringify({ type: "user", name, text: "x".repeat(padding) })}\n`;
const some = (count: number, prefix = "l"): string =>
  Array.from({ length: count }, (_, index) => line(`${prefix}${index}`)).join("");

test("followTranscript() gives what is there, then each line as it is written", async () => {
  fs.writeFileSync(file, some(3));
  const { held, events } = follow();
  await sameAsWhole(held);
  fs.appendFileSync(file, line("new"));
  await sameAsWhole(held);
  expect(events).toEqual(
    ["l0", "l1", "l2", "new"].map((name, index) => ({
      kind: "entry",
      entry: { type: "user", name, text: "" },
      offset: index * line("l0").length,
    })),
  );
});

test("followTranscript() waits for a file, and for its folder, that is not there yet", async () => {
  file = path.join(path.dirname(file), "later", "session.jsonl");
  const { held } = follow();
  fs.mkdirSync(path.dirname(file));
  fs.writeFileSync(file, some(2));
  await sameAsWhole(held);
  expect(names(held)).toEqual(["l0", "l1"]);
});

test("followTranscript() gives a line once it is whole, however many pieces it comes in", async () => {
  const { held, events } = follow();
  const text = some(2);
  for (let at = 0; at < text.length; at += 7) {
    fs.appendFileSync(file, text.slice(at, at + 7));
    await sameAsWhole(held);
  }
  expect(events.map(({ kind }) => kind)).toEqual(["entry", "entry"]);
});

test("followTranscript() gives a whole line without its newline, and takes it back when something is glued to it", async () => {
  const { held, events } = follow();
  fs.writeFileSync(file, line("a") + line("b").trim());
  await waitFor(() => held.length === 2);
  fs.appendFileSync(file, line("c"));
  await waitFor(() => names(held).join() === "a,rejected");
  fs.appendFileSync(file, line("d"));
  await sameAsWhole(held);
  expect(events.filter(({ kind }) => kind === "rewound")).toEqual([
    { kind: "rewound", to: line("a").length },
  ]);
});

test("followTranscript() takes nothing back when only the newline of the last line follows", async () => {
  fs.writeFileSync(file, line("a").trim());
  const { held, events } = follow();
  await waitFor(() => held.length === 1);
  fs.appendFileSync(file, `\n${line("b")}`);
  await sameAsWhole(held);
  expect(events.map(({ kind }) => kind)).toEqual(["entry", "entry"]);
});

test("followTranscript() reports lines that are none once they end, each with its place", async () => {
  fs.writeFileSync(file, line("a"));
  const { held } = follow();
  await sameAsWhole(held);
  fs.appendFileSync(file, 'hello\n\0\0\n\n{"type":"torn\n{"type":"unfinished');
  await waitFor(() => held.length === 4);
  const at = line("a").length;
  expect(held.slice(1)).toEqual([
    { kind: "rejection", rejection: { offset: at, length: 5, reason: "not-json" } },
    { kind: "rejection", rejection: { offset: at + 6, length: 2, reason: "nul-bytes" } },
    { kind: "rejection", rejection: { offset: at + 10, length: 13, reason: "torn" } },
  ]);
});

test("followTranscript() gives lines longer than what is read at once", async () => {
  fs.writeFileSync(file, line("long", 3 << 20));
  const { held } = follow();
  await sameAsWhole(held);
  const second = line("longer", 5 << 20);
  for (let at = 0; at < second.length; at += 1 << 20)
    fs.appendFileSync(file, second.slice(at, at + (1 << 20)));
  await sameAsWhole(held);
  expect(names(held)).toEqual(whole());
});

test.each<[string, () => void]>([
  ["its last line was cut off", () => fs.truncateSync(file, some(9).length)],
  ["its last line was cut in two", () => fs.truncateSync(file, some(10).length - 5)],
  ["it was emptied", () => fs.truncateSync(file, 0)],
  [
    "the newline of its last line was cut off and something glued to it",
    () => fs.writeFileSync(file, some(10).trimEnd() + line("glued")),
  ],
  ["it was cut and grew again", () => fs.writeFileSync(file, some(5) + some(9, "other"))],
  ["a line was taken out of its end", () => fs.writeFileSync(file, some(8) + line("l9"))],
  ["it was rewritten with other lines of the same length", () => fs.writeFileSync(file, some(10, "m"))],
  ["it was rewritten shorter", () => fs.writeFileSync(file, some(3, "m"))],
  ["it was rewritten longer", () => fs.writeFileSync(file, some(30, "m"))],
  ["another took its place", () => replaceBy(some(12, "m"))],
  ["another with the same end took its place", () => replaceBy(some(5) + some(4, "m") + line("l9"))],
  ["a shorter one took its place", () => replaceBy(some(2))],
  ["it was removed", () => fs.rmSync(file)],
])("followTranscript() holds what the file holds after %s", async (_what, change) => {
  fs.writeFileSync(file, some(10));
  const { held } = follow();
  await sameAsWhole(held);
  change();
  await sameAsWhole(held);
  fs.appendFileSync(file, `\n${line("after")}`);
  await sameAsWhole(held);
  expect(names(held)).toEqual(whole());
});

function replaceBy(content: string): void {
  fs.writeFileSync(`${file}.new`, content);
  fs.renameSync(`${file}.new`, file);
}

test("followTranscript() takes back no more than what is gone", async () => {
  fs.writeFileSync(file, some(10));
  const { held, events } = follow();
  await sameAsWhole(held);
  fs.truncateSync(file, some(7).length + 5);
  await waitFor(() => held.length === 7);
  fs.truncateSync(file, some(7).length);
  fs.appendFileSync(file, line("again"));
  await sameAsWhole(held);
  expect(events.filter(({ kind }) => kind === "rewound")).toEqual([{ kind: "rewound", to: some(7).length }]);
});

test("followTranscript() takes everything back when more was cut than it remembers", async () => {
  const count = followedLinesMax + 50;
  fs.writeFileSync(file, some(count));
  const { held, events } = follow();
  await sameAsWhole(held);
  fs.truncateSync(file, some(10).length);
  await sameAsWhole(held);
  expect(events.filter(({ kind }) => kind === "rewound")).toEqual([{ kind: "rewound", to: 0 }]);
});

test("followTranscript() goes on with a file that is removed and made again", async () => {
  fs.writeFileSync(file, some(3));
  const { held } = follow();
  await sameAsWhole(held);
  fs.rmSync(file);
  await waitFor(() => held.length === 0);
  fs.writeFileSync(file, some(2, "m"));
  await sameAsWhole(held);
  expect(names(held)).toEqual(["m0", "m1"]);
});

test("followTranscript() from the end gives only what is new", async () => {
  fs.writeFileSync(file, some(3));
  const { held, events } = follow(some(3).length);
  fs.appendFileSync(file, line("new"));
  await waitFor(() => held.length === 1);
  fs.truncateSync(file, some(3).length);
  await waitFor(() => held.length === 0);
  fs.appendFileSync(file, line("newer"));
  await waitFor(() => names(held).join() === "newer");
  expect(events.filter(({ kind }) => kind === "rewound")).toEqual([{ kind: "rewound", to: some(3).length }]);
});

test.each<[string, () => void]>([
  [
    "was cut before that",
    () => (fs.truncateSync(file, some(2).length - 4), fs.truncateSync(file, some(1).length)),
  ],
  ["was cut in the middle of a line before that", () => fs.truncateSync(file, some(2).length - 4)],
])("followTranscript() from the end gives whole lines when the file %s", async (_what, cut) => {
  fs.writeFileSync(file, some(3));
  const { held, events } = follow(some(3).length);
  fs.appendFileSync(file, line("new"));
  await waitFor(() => held.length === 1);
  cut();
  await waitFor(() => events.some(({ kind }) => kind === "rewound"));
  fs.truncateSync(file, some(1).length);
  fs.appendFileSync(file, line("second"));
  await waitFor(() => names(held).join() === "second");
  expect(names(held)).toEqual(["second"]);
});

test("followTranscript() from the end gives all of a file that is made anew", async () => {
  fs.writeFileSync(file, some(3));
  const { held, events } = follow(some(3).length);
  fs.appendFileSync(file, line("new"));
  await waitFor(() => held.length === 1);
  fs.rmSync(file);
  await waitFor(() => events.some(({ kind }) => kind === "rewound"));
  fs.writeFileSync(file, some(5, "m"));
  await sameAsWhole(held);
  expect(names(held)).toEqual(whole());
});

test("followTranscript() holds what the file holds through anything that happens to it", async () => {
  const random = seededRandom(Date.now() % 100_000);
  const { held } = follow();
  let made = 0;
  const more = (): string =>
    Array.from({ length: random.between(0, 4) }, () => line(`n${made++}`, random.between(0, 50))).join("");
  for (let step = 0; step < 120; step++) {
    const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    const kind = random.between(1, 10);
    if (kind <= 5) fs.appendFileSync(file, more());
    else if (kind === 6) fs.appendFileSync(file, more().slice(0, random.between(0, 60)));
    else if (kind === 7) fs.writeFileSync(file, text.slice(0, random.between(0, text.length)));
    else if (kind === 8) fs.writeFileSync(file, text.slice(0, random.between(0, text.length)) + more());
    else if (kind === 9) replaceBy(more());
    else fs.rmSync(file, { force: true });
    if (random.between(1, 3) === 1) continue;
    await waitFor(() => JSON.stringify(names(held)) === JSON.stringify(whole())).catch((error: unknown) => {
      throw new Error(
        `seed ${random.seed}, step ${step}: holds ${names(held).join()}, not ${whole().join()}`,
        { cause: error },
      );
    });
  }
  await sameAsWhole(held);
  expect(names(held)).toEqual(whole());
});

test("followTranscript() ends when it is told to: before it begins, while it waits, while it reads", async () => {
  fs.writeFileSync(file, some(3));
  const before = new AbortController();
  before.abort();
  for await (const event of followTranscript(file, { signal: before.signal }))
    throw new Error(`gave ${event.kind}`);

  const { held } = follow();
  await sameAsWhole(held);
  stop.abort();
  await following;

  fs.writeFileSync(file, some(400_000));
  const reading = new AbortController();
  setTimeout(() => reading.abort(), 1);
  let count = 0;
  for await (const event of followTranscript(file, { signal: reading.signal }))
    count += event.kind === "entry" ? 1 : 0;
  expect(count).toBeLessThan(400_000);
});

test("followTranscript() closes what it opened when its reader stops early", async () => {
  fs.writeFileSync(file, some(3));
  for await (const event of followTranscript(file, { signal: stop.signal })) {
    expect(event.kind).toBe("entry");
    break;
  }
});

test.each<[string, () => void]>([
  ["a folder", () => fs.mkdirSync(file)],
  ["a pipe", () => void spawnSync("mkfifo", [file])],
])("followTranscript() says when it is given %s", async (_what, make) => {
  make();
  const next = followTranscript(file, { signal: stop.signal }).next();
  await expect(next).rejects.toMatchObject({ code: "not_a_transcript" });
});

test("followTranscript() gives what is there when it is told to end, then ends", async () => {
  fs.writeFileSync(file, `${JSON.stringify({ type: "user", name: "first" })}\n`);
  const until = new AbortController();
  const given: string[] = [];
  for await (const event of followTranscript(file, { signal: stop.signal, until: until.signal })) {
    given.push(...names([event as Given]));
    if (given.length > 1) continue;
    fs.appendFileSync(file, `${JSON.stringify({ type: "user", name: "last" })}\n`);
    until.abort();
  }
  expect(given).toEqual(["first", "last"]);
});
