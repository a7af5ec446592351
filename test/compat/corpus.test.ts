import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Entry } from "../../src/format/index.ts";
import { toolResultsOf, toolUsesOf } from "../../src/format/entry-kinds.ts";
import {
  followTranscript,
  readConversation,
  readUsage,
  streamEntries,
  type FollowEvent,
} from "../../src/store/index.ts";
import { countEntries } from "../../src/store/read/entry-lookup.ts";
import { requireSharedCorpus, sharedCorpus, tempDir, waitFor } from "../support/index.ts";
import { reckon } from "./reckoning.ts";

function corpusFiles(): string[] {
  const root = sharedCorpus();
  if (root === undefined) return [];
  const names = fs.readdirSync(root, { recursive: true }) as string[];
  return names.filter((name) => name.endsWith(".jsonl")).sort();
}

const uuidOf = (entry: Entry): string => (entry as { uuid?: string }).uuid ?? "";
const messageUuids = (entries: Entry[]): string[] =>
  entries.filter(({ type }) => type === "user" || type === "assistant").map(uuidOf);

test("the corpus is there, or its tests are skipped", (context) => {
  requireSharedCorpus(context);
  expect(corpusFiles().length).toBeGreaterThan(80);
});

test.each(corpusFiles())(
  "counts, rejections and usage of %s equal an independent reckoning",
  async (name) => {
    const file = path.join(sharedCorpus()!, name);
    const expected = reckon(file);
    const rejectedOffsets: number[] = [];
    let entries = 0;
    for await (const line of streamEntries(file)) {
      if (line.kind === "entry") entries++;
      else rejectedOffsets.push(line.rejection.offset);
    }
    const { rejected = 0, ...types } = await countEntries(file);
    const { byModel: _, ...usage } = await readUsage(file);
    expect({ lines: entries + rejectedOffsets.length, rejectedOffsets, rejected, types, usage }).toEqual({
      lines: expected.lines,
      rejectedOffsets: expected.rejectedOffsets,
      rejected: expected.rejectedOffsets.length,
      types: expected.types,
      usage: expected.usage,
    });
  },
);

test.each(corpusFiles())("the conversation of %s equals an independent reckoning", async (name) => {
  const file = path.join(sharedCorpus()!, name);
  const expected = reckon(file);
  const full = await readConversation(file);
  const context = await readConversation(file, { mode: "context" });
  expect(messageUuids(full.entries).sort()).toEqual(expected.conversation.sort());
  expect(messageUuids(context.entries).sort()).toEqual(expected.context.sort());
  expect(full.rejections.map(({ offset }) => offset)).toEqual(expected.rejectedOffsets);

  // Nothing is left out in silence: all messages of the file, and every line that is none.
  const { branches, agents, repeated, rejected } = full.elsewhere!;
  expect({ branches, agents, repeated }).toEqual(expected.elsewhere);
  expect(messageUuids(full.entries).length + branches + agents + repeated + rejected).toBe(
    (expected.types["user"] ?? 0) + (expected.types["assistant"] ?? 0) + expected.rejectedOffsets.length,
  );

  // What a part of the file gives is the end of what the whole gives.
  const last = await readConversation(file, { last: 40 });
  expect(last.entries.map(uuidOf)).toEqual(full.entries.slice(-40).map(uuidOf));
  expect(full.entries.map(uuidOf).slice(-context.entries.length || full.entries.length)).toEqual(
    context.entries.map(uuidOf),
  );

  // No result stands before its use.
  const answered = new Set<string>();
  for (const entry of full.entries) {
    for (const { tool_use_id: id } of toolResultsOf(entry)) answered.add(id);
    for (const { id } of toolUsesOf(entry))
      expect(answered.has(id), `result of ${id} before its use`).toBe(false);
  }
});

function growthSeries(): string[][] {
  const root = sharedCorpus();
  if (root === undefined) return [];
  const dirs = new Map<string, string[]>();
  for (const name of corpusFiles().filter((each) => each.startsWith("growth"))) {
    const dir = path.dirname(name);
    dirs.set(dir, [...(dirs.get(dir) ?? []), path.join(root, name)]);
  }
  return [...dirs.values()];
}

test.each(growthSeries().map((series) => [path.basename(path.dirname(series[0]!)), series] as const))(
  "following the growth of %s gives the same as reading the last state whole",
  async (_name, series) => {
    const file = path.join(tempDir(), "session.jsonl");
    const abort = new AbortController();
    const held: Extract<FollowEvent, { kind: "entry" }>[] = [];
    const following = (async () => {
      for await (const event of followTranscript(file, { signal: abort.signal })) {
        if (event.kind === "entry") held.push(event);
        if (event.kind === "rewound") while (held.length > 0 && held.at(-1)!.offset >= event.to) held.pop();
      }
    })();
    for (const state of series) {
      fs.writeFileSync(file, fs.readFileSync(state));
      const whole: string[] = [];
      for await (const line of streamEntries(state))
        if (line.kind === "entry") whole.push(JSON.stringify(line.entry));
      await waitFor(
        () => held.length === whole.length && JSON.stringify(held.at(-1)?.entry) === whole.at(-1),
      );
      expect(held.map(({ entry }) => JSON.stringify(entry))).toEqual(whole);
    }
    abort.abort();
    await following;
  },
);
