import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  requireSharedCorpus,
  sampleSession,
  seededRandom,
  tempDir,
  TranscriptBuilder,
} from "../../../test/support/index.ts";
import { randomSession } from "../../../test/support/random-session.ts";
import { openConversation } from "../../store/read/conversation.ts";
import type { ConversationItem } from "../conversation-item.ts";
import { readItems } from "../read-items.ts";
import { readHeader } from "./conversation-header.ts";
import { digestRows } from "./digest-rows.ts";
import { imagePart, textPart } from "./entry-parts.ts";
import { findRows } from "./find-rows.ts";
import { KeptTranscripts, type RowsNow } from "./kept-transcripts.ts";
import { readEnd } from "./read-end.ts";
import { changedRows, readWindow } from "./read-window.ts";
import { watchRows } from "./watch-rows.ts";
import type { Row, RowFound, RowItem } from "./row.ts";

const address = { path: "/api/sessions/s", query: "" };
const forever = new AbortController().signal;

const keepers: KeptTranscripts[] = [];
afterEach(() => {
  for (const kept of keepers.splice(0)) kept.close();
});

function keeper(): KeptTranscripts {
  const kept = new KeptTranscripts(async () => []);
  keepers.push(kept);
  return kept;
}

function using<Result>(
  kept: KeptTranscripts,
  file: string,
  use: (now: RowsNow) => Result | Promise<Result>,
  leaf?: string,
): Promise<Result> {
  const session = { sessionId: "s", projectKey: "p", path: file };
  return kept.using({ session, isAgent: false, view: "whole", leaf }, use);
}

function written(content: string): string {
  const file = path.join(tempDir(), "s.jsonl");
  fs.writeFileSync(file, content);
  return file;
}

function allRows({ rows }: RowsNow): Row[] {
  return Array.from({ length: rows.total }, (_, row) => rows.read(row, address));
}

// What is left when a page's shape is taken off both.
function plain(item: RowItem | ConversationItem): unknown {
  const texts = (text: string): string => text.slice(0, 8000);
  if (item.kind === "tool") {
    const { name, agent } = item;
    const { result } = item;
    const text = result ? ("said" in result ? result.said.text : result.text) : undefined;
    return { kind: "tool", name, agent, text: text && texts(text), isError: result?.isError };
  }
  const text = "said" in item ? item.said.text : "text" in item ? item.text : undefined;
  return { kind: item.kind, text: text && texts(text), isRetracted: item.isRetracted };
}

async function itemsOf(file: string): Promise<unknown[]> {
  const conversation = await openConversation(file);
  try {
    const items: unknown[] = [];
    const { retracted } = conversation;
    for await (const item of readItems(conversation.entries(), { lookaheadMax: Infinity, retracted }))
      items.push(plain(item));
    return items;
  } finally {
    conversation.close();
  }
}

describe("rows", () => {
  test("show every item of a conversation once, results with their calls", async () => {
    const file = written(sampleSession({ rounds: 3 }).jsonl());
    const rows = await using(keeper(), file, allRows);
    expect(rows.flatMap(({ items }) => items.map(plain))).toEqual(await itemsOf(file));
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, index) => index));
  });

  test("show the same items as the conversation for every file of the corpus", async (context) => {
    const root = requireSharedCorpus(context);
    const names = (fs.readdirSync(root, { recursive: true }) as string[]).filter((name) =>
      name.endsWith(".jsonl"),
    );
    const kept = keeper();
    for (const name of names) {
      const file = path.join(root, name);
      const rows = await using(kept, file, allRows);
      const shown = rows.flatMap(({ items }) => items.map(plain));
      expect({ name, shown }).toEqual({ name, shown: await itemsOf(file) });
    }
    expect(names.length).toBeGreaterThan(0);
  });

  test("keep what was said beside a result", async () => {
    const session = new TranscriptBuilder();
    const { results } = session.callTools({ name: "Bash", input: { command: "ls" }, result: "a" });
    (results[0]!.message!.content as object[]).push({ type: "text", text: "[Request interrupted by user]" });
    const rows = await using(keeper(), written(session.jsonl()), allRows);
    expect(rows.map(({ items }) => items.map(({ kind }) => kind))).toEqual([["tool"], ["notice"]]);
    expect(rows[0]?.items[0]).toMatchObject({ result: { said: { text: "a" } } });
  });

  test("name long texts and images by their address, which has all of them", async () => {
    const session = new TranscriptBuilder();
    const long = "ü".repeat(50_000);
    const data = Buffer.from("a picture").toString("base64");
    const source = { type: "base64", media_type: "image/png", data };
    const asked = session.prompt("");
    asked.message!.content = [
      { type: "text", text: long },
      { type: "image", source },
    ];
    session.callTools({ name: "Bash", input: { command: "ls" }, result: long });
    const file = written(session.jsonl());
    await using(keeper(), file, (now) => {
      const [prompt, call] = allRows(now);
      const [item] = prompt!.items;
      if (item?.kind !== "prompt") throw new Error("no prompt");
      expect(item.said).toEqual({
        text: long.slice(0, 16 * 1024),
        bytes: 100_000,
        url: `/api/sessions/s/text/${asked.uuid}/0`,
      });
      expect(item.images).toEqual([{ url: `/api/sessions/s/image/${asked.uuid}/0`, mediaType: "image/png" }]);
      const named = { rows: now.rows, file, name: asked.uuid! };
      expect(textPart(named, 0)).toBe(long);
      expect(Buffer.from(imagePart(named, 0).bytes).toString()).toBe("a picture");
      expect(() => imagePart(named, 1)).toThrow(/it has none/);
      const [tool] = call!.items;
      const url = tool?.kind === "tool" ? tool.result!.said.url! : "";
      const [, entry, part] = /text\/([^/]+)\/(\d+)$/.exec(url)!;
      expect(textPart({ rows: now.rows, file, name: entry! }, Number(part))).toBe(long);
    });
  });

  test("leave out an image that is somewhere else, or that could be run", async () => {
    const session = new TranscriptBuilder();
    const asked = session.prompt("");
    asked.message!.content = [
      { type: "text", text: "look" },
      { type: "image", source: { type: "url", url: "http://elsewhere.example/x.png" } },
      { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: "PHN2Zz4=" } },
    ];
    const [row] = await using(keeper(), written(session.jsonl()), allRows);
    expect(row?.items).toMatchObject([{ kind: "prompt", said: { text: "look" } }]);
    expect(JSON.stringify(row)).not.toMatch(/elsewhere|svg/);
  });

  test("are cut where a tool was given more than a page shows", async () => {
    const session = new TranscriptBuilder();
    const content = "line\n".repeat(200_000);
    session.callTools(
      { name: "Write", input: { file_path: "/a", content }, result: "ok" },
      { name: "Edit", input: { file_path: "/a", old_string: content, new_string: "x" }, result: "ok" },
      { name: "Bash", input: { command: `echo ${"y".repeat(1_000_000)}` }, result: "ok" },
    );
    const file = written(session.jsonl());
    const began = performance.now();
    const rows = await using(keeper(), file, allRows);
    expect(JSON.stringify(rows).length).toBeLessThan(100_000);
    for (const { items } of rows) expect(items).toMatchObject([{ isCut: true }]);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

describe("KeptTranscripts", () => {
  test("give the rows that reading the whole file gives, after every line that is appended", async () => {
    const lines = sampleSession({ rounds: 2 })
      .jsonl()
      .split(/(?<=\n)/);
    const file = written("");
    const kept = keeper();
    let generation: string | undefined;
    for (const [index, line] of lines.entries()) {
      // Each line arrives in two pieces: its writer is seen in the middle of it.
      fs.appendFileSync(file, line.slice(0, 20));
      await using(kept, file, () => {});
      fs.appendFileSync(file, line.slice(20));
      const grown = await using(kept, file, (now) => {
        generation = now.generation;
        return allRows(now);
      });
      const whole = await using(keeper(), file, allRows);
      expect({ index, grown }).toEqual({ index, grown: whole });
    }
    expect(generation).toBeDefined();
  });

  test.each(Array.from({ length: 12 }, (_, seed) => seed))(
    "give the same for whatever is appended (random session %i)",
    async (seed) => {
      const lines = randomSession(seededRandom(seed), { steps: 25, isDamaged: seed % 3 === 0 });
      const file = written("");
      const kept = keeper();
      let before: { generation: string; rows: Row[] } | undefined;
      for (const [index, line] of lines.entries()) {
        fs.appendFileSync(file, `${line}\n`);
        const grown = await using(kept, file, (now) => ({ generation: now.generation, rows: allRows(now) }));
        const whole = await using(keeper(), file, (now) => allRows(now));
        expect({ seed, index, rows: grown.rows }).toEqual({ seed, index, rows: whole });
        const known = before?.generation === grown.generation ? before.rows : [];
        expect(grown.rows.slice(0, known.length).map(({ uuid }) => uuid)).toEqual(
          known.map(({ uuid }) => uuid),
        );
        before = grown;
      }
    },
  );

  test("keep the generation while rows keep their numbers, and change it when a file is rewound", async () => {
    const session = new TranscriptBuilder();
    session.prompt("one");
    session.reply("two");
    const file = written(session.jsonl());
    const kept = keeper();
    const generation = (): Promise<string> => using(kept, file, (now) => now.generation);
    const first = await generation();
    session.prompt("three");
    fs.writeFileSync(file, session.jsonl());
    expect(await generation()).toBe(first);
    const other = new TranscriptBuilder({ seed: "other" });
    other.prompt("something else, which is longer than all that stood there before it was written");
    fs.writeFileSync(file, other.jsonl());
    expect(await generation()).not.toBe(first);
    expect(await using(kept, file, (now) => now.rows.total)).toBe(1);
  });

  test("go on with a file that another took the place of, while the old one is still read", async () => {
    const before = sampleSession().jsonl();
    const file = written(before);
    const kept = keeper();
    const rows = await using(kept, file, async (now) => {
      fs.rmSync(file);
      fs.writeFileSync(
        file,
        new TranscriptBuilder({ seed: "x" }).prompt("new") && sampleSession({ seed: "x" }).jsonl(),
      );
      await using(kept, file, () => {});
      return allRows(now);
    });
    expect(rows).toEqual(await using(keeper(), written(before), allRows));
  });

  test("say that a session is gone", async () => {
    const file = written(sampleSession().jsonl());
    const kept = keeper();
    await using(kept, file, () => {});
    fs.rmSync(file);
    await expect(using(kept, file, () => {})).rejects.toMatchObject({ code: "session_not_found" });
    fs.writeFileSync(file, sampleSession().jsonl());
    expect(await using(kept, file, (now) => now.rows.total)).toBeGreaterThan(1);
  });

  test("keep no more files open than a few", async () => {
    const kept = keeper();
    const open = (): number => fs.readdirSync("/proc/self/fd").length;
    const before = open();
    for (let count = 0; count < 30; count++) await using(kept, written(sampleSession().jsonl()), () => {});
    expect(open() - before).toBeLessThanOrEqual(8);
  });

  test("show another branch by its leaf", async () => {
    const session = new TranscriptBuilder();
    const asked = session.prompt("one");
    const left = session.reply("left").at(-1)!;
    session.continueFrom(asked.uuid!);
    session.reply("right");
    const file = written(session.jsonl());
    const kept = keeper();
    const texts = (now: RowsNow): unknown[] => allRows(now).map(({ items }) => plain(items[0]!));
    expect(await using(kept, file, texts)).toMatchObject([{ text: "one" }, { text: "right" }]);
    expect(await using(kept, file, texts, left.uuid)).toMatchObject([{ text: "one" }, { text: "left" }]);
    const header = await using(kept, file, (now) => readHeader(file, now));
    expect(header).toMatchObject({ branches: [left.uuid], elsewhere: [{ kind: "branches" }] });
  });
});

describe("readWindow()", () => {
  test("gives rows by number, and around an entry", async () => {
    const session = new TranscriptBuilder();
    const prompts = Array.from({ length: 50 }, (_, index) => session.prompt(`prompt ${index}`));
    const { results } = session.callTools({ name: "Bash", input: { command: "ls" }, result: "a" });
    const file = written(session.jsonl());
    await using(keeper(), file, (now) => {
      const window = readWindow(now, { from: 10, limit: 3 }, address);
      expect(window).toMatchObject({ from: 10, total: 51 });
      expect(window.rows.map(({ uuid }) => uuid)).toEqual(prompts.slice(10, 13).map(({ uuid }) => uuid));
      const around = readWindow(now, { around: prompts[20]!.uuid!, limit: 5 }, address);
      expect(around.from).toBe(18);
      // A result is in the row of its call.
      expect(readWindow(now, { around: results[0]!.uuid!, limit: 1 }, address).from).toBe(50);
      expect(readWindow(now, { from: 1e9 }, address)).toMatchObject({ from: 51, rows: [] });
      expect(() => readWindow(now, { around: "none" }, address)).toThrow(/not in this conversation/);
    });
  });
});

describe("readEnd()", () => {
  test("gives the last rows as the whole has them, but for their numbers", async () => {
    const file = written(sampleSession({ rounds: 20 }).jsonl());
    const whole = await using(keeper(), file, allRows);
    const { rows, total } = await readEnd({ file, limit: 10, owed: [], address });
    expect(total).toBeNull();
    expect(rows.map(({ row }) => row)).toEqual(rows.map(() => null));
    expect(rows).toEqual(whole.slice(-10).map((row) => Object.assign(row, { row: null })));
  });
});

describe("changedRows()", () => {
  test("names new rows, and those whose tools were answered since", async () => {
    const session = new TranscriptBuilder();
    session.prompt("go");
    const { results } = session.callTools({ name: "Bash", input: { command: "ls" }, result: "a" });
    const answer = session.reply("done");
    const [line] = session.jsonl().split("\n").slice(2);
    expect(line).toContain(results[0]!.uuid!);
    const file = written(
      session.entries
        .slice(0, 2)
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(""),
    );
    const kept = keeper();
    const known = await using(kept, file, (now) => now.rows.total);
    expect(known).toBe(2);
    fs.writeFileSync(file, session.jsonl());
    await using(kept, file, ({ rows }) => {
      expect(changedRows(rows, known)).toEqual([1, 2]);
      expect(rows.entryOf(2)?.entry).toMatchObject({ uuid: answer[0]!.uuid });
      expect(changedRows(rows, 3)).toEqual([]);
    });
  });
});

describe("watchRows()", () => {
  test("tells each time something is appended, and at last that the transcript is gone", async () => {
    const session = new TranscriptBuilder();
    session.prompt("go");
    const { results } = session.callTools({ name: "Bash", input: { command: "ls" }, result: "a" });
    const lines = session.jsonl().split(/(?<=\n)/);
    const file = written(lines.slice(0, 2).join(""));
    const kept = keeper();
    const { generation } = await using(kept, file, ({ generation: id }) => ({ generation: id }));
    const query = {
      session: { sessionId: "s", projectKey: "p", path: file },
      isAgent: false,
      view: "whole",
      leaf: undefined,
    } as const;
    const given = new AbortController();
    const watch = watchRows(kept, query, { generation, total: 2, address, signal: given.signal });
    const next = watch.next();
    expect(results).toHaveLength(1);
    fs.appendFileSync(file, lines[2]!);
    expect((await next).value).toMatchObject({
      generation,
      total: 2,
      rows: [{ row: 1, items: [{ result: { said: { text: "a" } } }] }],
    });
    const more = watch.next();
    session.reply("done");
    fs.writeFileSync(file, session.jsonl());
    expect((await more).value).toMatchObject({ total: 3 });
    const gone = watch.next();
    fs.rmSync(file);
    expect((await gone).value).toEqual({ isGone: true });
    expect(await watch.next()).toMatchObject({ done: true });
    given.abort();
  });
});

describe("digestRows()", () => {
  test("marks what the rows show, also where it goes on with what was appended", async () => {
    const session = sampleSession({ rounds: 2 });
    session.prompt("again");
    const failed = session.callTools({ name: "Bash", input: { command: "no" }, result: "no such command" });
    Object.assign((failed.results[0]!.message!.content as object[])[0]!, { is_error: true });
    session.reply({ type: "text", text: 'It says "Task" and "Agent".' });
    const entries = session.entries.map((entry) => `${JSON.stringify(entry)}\n`);
    for (const half of [0, 5, 20, entries.length - 2]) {
      const file = written(entries.slice(0, half).join(""));
      const kept = keeper();
      const before =
        half === 0 ? undefined : await using(kept, file, ({ rows }) => digestRows(rows, { signal: forever }));
      fs.appendFileSync(file, entries.slice(half).join(""));
      await using(kept, file, async (now) => {
        const marks = await digestRows(now.rows, { before, signal: forever });
        const rows = allRows(now);
        const having = (is: (item: RowItem) => boolean): number[] =>
          rows.flatMap(({ row, items }) => (items.some(is) ? row! : []));
        expect([...marks.prompts].sort((a, b) => a - b)).toEqual(having(({ kind }) => kind === "prompt"));
        expect([...marks.compactions]).toEqual(having(({ kind }) => kind === "compaction"));
        expect([...marks.agents]).toEqual(having((item) => item.kind === "tool" && item.agent !== undefined));
        expect([...marks.failures]).toEqual(
          having((item) => item.kind === "tool" && item.result?.isError === true),
        );
        expect(marks.failures.size).toBe(1);
        expect(marks.agents.size).toBe(2);
      });
    }
  });
});

describe("findRows()", () => {
  async function find(file: string, q: string, isRegex = false): Promise<RowFound[]> {
    return using(keeper(), file, async ({ rows }) => {
      const lines: RowFound[] = [];
      for await (const line of findRows(rows, { q, isRegex }, forever)) lines.push(line);
      return lines;
    });
  }

  test("finds text, tool inputs and results, in capitals or not, with an exact count", async () => {
    const session = new TranscriptBuilder();
    session.prompt("Where is the NEEDLE?");
    session.callTools({ name: "Grep", input: { pattern: "needle|x" }, result: "src/needle.ts:1\nneedle" });
    session.reply('It says "a < b" in Übersicht.');
    const file = written(session.jsonl());
    const lines = await find(file, "needle");
    expect(lines).toMatchObject([
      { kind: "found", row: 0, snippet: "Where is the NEEDLE?", highlights: [{ start: 13, end: 19 }] },
      { kind: "found", row: 1, snippet: "needle|x" },
      { kind: "done", searchedRows: 3, totalRows: 3, count: 2 },
    ]);
    for (const q of ["übersicht", '"A < B"', "says"])
      expect(await find(file, q)).toMatchObject([{ row: 2 }, { count: 1 }]);
    expect(await find(file, "toolu_")).toMatchObject([{ kind: "done", count: 0 }]);
    expect(await find(file, "n[e]{2}dle$", true)).toMatchObject([{ row: 1 }, { count: 1 }]);
  });

  test("refuses an expression that is none, and gives up one that never ends", async () => {
    const session = new TranscriptBuilder();
    session.prompt(`${"a".repeat(40)}!`);
    const file = written(session.jsonl());
    await expect(find(file, "(", true)).rejects.toMatchObject({ code: "expression_invalid" });
    await expect(find(file, "(a+)+$", true)).rejects.toMatchObject({ code: "expression_invalid" });
  });

  test("ends when nobody wants to know any more", async () => {
    const session = new TranscriptBuilder();
    for (let count = 0; count < 2000; count++) session.prompt("a needle, and much else ".repeat(20));
    const file = written(session.jsonl());
    const given = new AbortController();
    await using(keeper(), file, async ({ rows }) => {
      const search = findRows(rows, { q: "needle" }, given.signal);
      await search.next();
      given.abort(new Error("enough"));
      const rest = async (): Promise<void> => {
        for await (const _ of search);
      };
      await expect(rest()).rejects.toThrow("enough");
    });
  });
});
