import fs from "node:fs";
import { expect, test } from "vitest";
import { sampleSession, seededRandom, TranscriptBuilder } from "../../../test/support/index.ts";
import { randomSession } from "../../../test/support/random-session.ts";
import { withFile } from "../../../test/support/with-file.ts";
import { promptPreviewLengthMax } from "../../format/limits.ts";
import { compareCoverage } from "../index/file-coverage.ts";
import { glanceAtFacts } from "./glance-facts.ts";
import { gatherFacts, type GatheredFacts, type SessionFacts } from "./session-facts.ts";

function gather(lines: (object | string)[]): SessionFacts {
  const text = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  return withFile(text, (fd) => gatherFacts(fd)).facts;
}

const glance = (content: string): ReturnType<typeof glanceAtFacts> =>
  withFile(content, (fd) => glanceAtFacts(fd, fs.fstatSync(fd).size));

test("gatherFacts() counts and names what a list shows", () => {
  const session = sampleSession();
  const { coverage, facts } = withFile(session.jsonl(), (fd) => gatherFacts(fd));
  expect({ ...facts, to: coverage.to }).toEqual({
    messageCount: session.entries.filter(({ type }) => type === "user" || type === "assistant").length,
    inlineAgents: 0,
    customTitle: "Fix the parser",
    firstPrompt: "Why does the parser fail in round 1?",
    cwd: "/home/user/project",
    gitBranch: "main",
    startedAt: session.entries[0]!["timestamp"],
    updatedAt: session.entries.at(-1)!["timestamp"],
    to: Buffer.byteLength(session.jsonl()),
  });
});

test.each<[string, object[], Partial<SessionFacts>]>([
  [
    "the last custom title",
    [
      { type: "custom-title", customTitle: "a" },
      { type: "custom-title", customTitle: "b" },
    ],
    { customTitle: "b" },
  ],
  [
    "a title that other programs write, and none of another session",
    [
      { type: "summary", summary: "its own" },
      { type: "summary", summary: "of another", leafUuid: "22222222-2222-4333-8444-555555555555" },
    ],
    { summary: "its own" },
  ],
  [
    "both titles",
    [
      { type: "ai-title", aiTitle: "a" },
      { type: "custom-title", customTitle: "c" },
      { type: "ai-title", aiTitle: "b" },
    ],
    { customTitle: "c", aiTitle: "b" },
  ],
  [
    "no title that was emptied",
    [
      { type: "custom-title", customTitle: "a" },
      { type: "custom-title", customTitle: "" },
    ],
    {},
  ],
  [
    "no tag that was emptied",
    [
      { type: "tag", tag: "a" },
      { type: "tag", tag: "" },
    ],
    {},
  ],
  [
    "a tag set again",
    [
      { type: "tag", tag: "a" },
      { type: "tag", tag: "" },
      { type: "tag", tag: "b" },
    ],
    { tag: "b" },
  ],
  [
    "no title that is no text",
    [{ type: "custom-title", customTitle: 7 }, { type: "tag" }, { type: "ai-title", aiTitle: null }],
    {},
  ],
  [
    "no titles of types named like parts of an object",
    ["constructor", "toString", "__proto__"].map((type) => ({ type, customTitle: "x" })),
    {},
  ],
  [
    "the first directory, and the one it moved to",
    [
      { type: "x", cwd: "/a" },
      { type: "x", cwd: "/b" },
    ],
    { cwd: "/a" },
  ],
  [
    "the directory that it moved to",
    [
      { type: "x", cwd: "/a" },
      { type: "holdfast-moved", cwd: "/é\n" },
      { type: "x", cwd: "/b" },
    ],
    { cwd: "/é\n" },
  ],
  [
    "the last branch of the main chain",
    [
      { type: "x", gitBranch: "a" },
      { type: "x", gitBranch: "b" },
      { type: "x", gitBranch: "" },
      { type: "x", gitBranch: "c", isSidechain: true },
    ],
    { gitBranch: "b" },
  ],
  [
    "the earliest and the latest moment, wherever they stand",
    [
      "2026-01-02T00:00:00.000Z",
      "2026-01-01T00:00:00.000Z",
      "2026-01-03T00:00:00.000Z",
      "2026-01-02T00:00:00.000Z",
    ].map((timestamp) => ({ type: "x", timestamp })),
    { startedAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-03T00:00:00.000Z" },
  ],
  [
    "no moment that is none",
    ["zzz", "", "9", "2026-01-01T00:00:00.000Z", "tomorrow", "!", 1_767_225_600_000].map((timestamp) => ({
      type: "x",
      timestamp,
    })),
    { startedAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  ],
])("gatherFacts() takes %s", (_what, lines, facts) => {
  expect(gather(lines)).toEqual({ messageCount: 0, inlineAgents: 0, ...facts });
});

const firstCharacters = (text: string): string => Array.from(text).slice(0, promptPreviewLengthMax).join("");

const promptOf = (content: unknown, extra: object = {}): object => ({
  type: "user",
  uuid: "a",
  parentUuid: null,
  message: { role: "user", content },
  ...extra,
});

test.each<[string, (object | string)[], string | undefined]>([
  ["no result of a tool", [promptOf([{ type: "tool_result", tool_use_id: "t" }]), promptOf("b")], "b"],
  [
    "nothing that the client injected",
    [promptOf("a", { isMeta: true }), promptOf("<command-name>/x</command-name>"), promptOf("b")],
    "b",
  ],
  ["nothing of a sub-agent", [promptOf("a", { isSidechain: true }), promptOf("b")], "b"],
  ["no compaction summary", [promptOf("a", { isCompactSummary: true }), promptOf("b")], "b"],
  [
    "the text beside an opened file",
    [
      promptOf([
        { type: "text", text: "<ide_opened_file>x</ide_opened_file>" },
        { type: "text", text: "b" },
      ]),
    ],
    "b",
  ],
  ["the text that follows an image alone", [promptOf([{ type: "image" }]), promptOf("b")], "b"],
  ["one line", [promptOf("  a\n\n\tb ")], "a b"],
  [
    "the slash command that it began with, if nobody typed a prompt",
    [
      promptOf("<local-command-caveat>x</local-command-caveat>", { isMeta: true }),
      promptOf(
        "<command-message>goal</command-message>\n<command-name>/goal</command-name>\n<command-args>ship it</command-args>",
      ),
      promptOf("<command-name>/cost</command-name>"),
    ],
    "/goal ship it",
  ],
  [
    "what a schedule asked, if nobody typed a prompt",
    [
      {
        type: "system",
        subtype: "scheduled_task_fire",
        uuid: "f",
        parentUuid: null,
        timestamp: "2026-01-01T00:00:00.000Z",
        content: "Look at the nightly run",
      },
    ],
    "Look at the nightly run",
  ],
  [
    "whole characters",
    [promptOf("🙂".repeat(promptPreviewLengthMax + 1))],
    "🙂".repeat(promptPreviewLengthMax),
  ],
  [
    "the first words of a pasted file, whatever stands where it is cut",
    [promptOf(`read\t this: ${'\\ud83d \n"🙂 '.repeat(2000)}`)],
    `read this: ${'\\ud83d "🙂 '.repeat(100)}`,
  ],
  ["what stands behind much white space", [promptOf(`${" ".repeat(10_000)}b`)], "b"],
  [
    "nothing out of a line with a NUL",
    [JSON.stringify(promptOf(`a ${"x ".repeat(5000)}#`)).replace("#", "\0"), promptOf("b")],
    "b",
  ],
  ["nothing where nobody spoke", [{ type: "assistant" }], undefined],
])("gatherFacts() takes for the first prompt %s", (_what, lines, firstPrompt) => {
  const facts = gather(lines);
  expect(facts.firstPrompt ?? facts.firstCommand).toBe(firstPrompt && firstCharacters(firstPrompt));
});

test("gatherFacts() counts sidechains in the main file as agents, and their messages not at all", () => {
  const side = { isSidechain: true };
  const lines = [
    promptOf("a"),
    promptOf("b", side),
    promptOf("c", { ...side, parentUuid: "a" }),
    promptOf("d", side),
    { type: "assistant" },
  ];
  expect(gather(lines)).toMatchObject({ messageCount: 2, inlineAgents: 2 });
});

test("gatherFacts() leaves out what is no line, and goes on behind it", () => {
  const lines = ['{"type":"user"', "\0\0", "[]", '{"type":"user"}{"type":"user"}', "", { type: "user" }];
  expect(gather(lines)).toEqual({ messageCount: 1, inlineAgents: 0 });
});

test("gatherFacts() going on from what is known gives what a new count gives, wherever the file ended then", () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = seededRandom(seed);
    const newline = random.between(0, 3) === 0 ? "" : "\n";
    const bytes = Buffer.from(randomSession(random, { isDamaged: seed % 2 === 0 }).join("\n") + newline);
    withFile("", (fd, file) => {
      let known: GatheredFacts | undefined;
      for (let at = 0; at < bytes.length;) {
        const to = Math.min(bytes.length, at + random.between(1, 4000));
        fs.appendFileSync(file, bytes.subarray(at, to));
        at = to;
        const hasGrown = known && compareCoverage(fd, known.coverage) === "grown";
        known = gatherFacts(fd, hasGrown ? { facts: known!.facts, to: known!.coverage.to } : undefined);
        expect(known, `seed ${seed}, byte ${at}`).toEqual(gatherFacts(fd));
      }
    });
  }
});

test("gatherFacts() covers nothing that was written after it began to read", () => {
  withFile(sampleSession().jsonl(), (fd, file) => {
    const facts = gatherFacts(fd);
    fs.appendFileSync(file, '{"type":"user"}\n');
    expect([facts.coverage.size < fs.fstatSync(fd).size, compareCoverage(fd, facts.coverage)]).toEqual([
      true,
      "grown",
    ]);
  });
});

const long = (length: number): string => `{"type":"x","text":"${"x".repeat(length)}"}\n`;
const title = '{"type":"custom-title","customTitle":"t"}\n';
const prompt = `${JSON.stringify(promptOf("p", { timestamp: "2026-01-01T00:00:00.000Z" }))}\n`;
const last = '{"type":"x","timestamp":"2026-01-02T00:00:00.000Z"}\n';
const found = {
  customTitle: "t",
  firstPrompt: "p",
  startedAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-02T00:00:00.000Z",
};

test.each([
  ["a small file", prompt + title + last],
  [
    "a file a little larger than what is read of its head",
    prompt + long(16_384 - prompt.length - 40) + title + long(3000) + last,
  ],
  ["a large file", prompt + long(500_000) + title + last],
  [
    "a prompt far behind the beginning",
    long(100_000) + long(100_000) + prompt + long(100_000) + title + last,
  ],
  [
    "a last line longer than what is read of the tail",
    `${prompt + title.repeat(500) + long(20_000)}${last.replace("}", `,"text":"${"x".repeat(30_000)}"}`)}${title}`,
  ],
])("glanceAtFacts() finds titles, times and the first prompt of %s", (_what, content) => {
  expect(glance(content)).toEqual(found);
});

test("glanceAtFacts() says nothing of what it cannot count", () => {
  const session = new TranscriptBuilder();
  for (let i = 0; i < 50; i++) session.continueFrom(null).prompt("side", { isSidechain: true });
  expect(Object.keys(glance(session.jsonl())).sort()).toEqual(["cwd", "startedAt", "updatedAt"]);
});

test.each([
  ["an empty file", ""],
  ["half a line", '{"type":"user","cwd":"/x"'],
  ["anything", "hello\n\0\0\n[1]\n"],
])("glanceAtFacts() finds nothing in %s", (_what, content) => {
  expect(glance(content)).toEqual({});
});
