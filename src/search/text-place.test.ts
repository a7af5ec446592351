import fc from "fast-check";
import { expect, test } from "vitest";
import { documentOf, searchedText } from "./entry-document.ts";
import { wordsOf } from "./index-form.ts";
import { mayBeText } from "./text-place.ts";

const WORD = "quiz";

/** Whether the word in a line may be in searched text. */
function mayMatch(line: string): boolean {
  // As in a file: with another line before it and behind it.
  const before = '{"quiz":"\n';
  const bytes = Buffer.from(`${before}${line}\nquiz":"`);
  const start = Buffer.byteLength(before);
  const at = start + Buffer.byteLength(line.slice(0, line.search(/quiz/i)));
  return mayBeText(bytes, at, { start, end: start + Buffer.byteLength(line) });
}

/** A line as often as it has the word, each time with one of them only. */
function* withOneWord(line: string): Generator<string> {
  for (const { index } of line.matchAll(/quiz/gi)) {
    const others = (text: string): string => text.replaceAll(/quiz/gi, "fizz");
    const end = index + WORD.length;
    yield others(line.slice(0, index)) + line.slice(index, end) + others(line.slice(end));
  }
}

/** The slow way: what the line says, parsed. */
function isInText(line: string): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return false;
  }
  const { parts, whole } = wordsOf(searchedText(documentOf(parsed)?.blocks ?? []));
  return parts.includes(WORD) || whole.includes(WORD);
}

const line = (members: object): string => JSON.stringify({ type: "user", ...members });
const said = (content: unknown): string => line({ message: { role: "user", content } });

test.each([
  ["a name", line({ quizId: "x", message: { content: "y" } })],
  ["a name deep in a line", said([{ type: "tool_use", name: "x", input: { a: [[{ quiz_id: 1 }]] } }])],
  ["a string of the envelope, at its head", line({ cwd: "/home/quiz", message: { content: "{[{[{[{[" } })],
  ["a string of the envelope, at its end", said("}]}]}]}]").replace(/\}$/, ',"gitBranch":"quiz/x"}')],
  ["a string of the message", line({ message: { model: "quiz-4", content: [{ type: "text", text: "x" }] } })],
  ["a string of a block", said([{ type: "quiz", text: "x" }])],
])("mayBeText() is false in %s", (_, each) => {
  expect(mayMatch(each)).toBe(false);
});

test("mayBeText() is false in a literal, wherever it stands", () => {
  const bytes = Buffer.from('{"a":{"b":[{"c":[{"d":[true,{"e":false}]}]}]},"f":null,"g":12}');
  const range = { start: 0, end: bytes.length };
  const places = ["true", "false", "null", "12"].map((literal) => bytes.indexOf(literal));
  // In front of the first there is no string but the name before the array, which is enough.
  expect(places.map((at) => mayBeText(bytes, at, range))).toEqual([false, false, false, false]);
});

test.each([
  ["a prompt", said("the quiz")],
  ["a key in the text", said('{"quiz":1}')],
  ["a key in the text, behind a backslash", said('\\"quiz":1')],
  ["a literal in the text", said(':"x":quiz')],
  ["a string that begins with a colon", said(":quiz")],
  ["an input under a name of the envelope", said([{ type: "tool_use", input: { cwd: "quiz" } }])],
  ["an input that is a list", said([{ type: "tool_use", input: ["quiz"] }])],
  ["an input that is a string", said([{ type: "tool_use", input: "quiz" }])],
  [
    "text under a name that is written with an escape",
    said([{ type: "text", text: "quiz" }]).replace('"text":', '"te\\u0078t":'),
  ],
  ["a title", JSON.stringify({ type: "custom-title", customTitle: "quiz" })],
  ["an attachment", JSON.stringify({ type: "attachment", attachment: { filename: "quiz.ts" } })],
])("mayBeText() is true in %s", (_, each) => {
  expect(isInText(each)).toBe(true);
  expect(mayMatch(each)).toBe(true);
});

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("quiz", "Quiz", "quiz_id", " ", "x") },
  { weight: 2, arbitrary: fc.constantFrom('"', "\\", ":", ",", '":"', '","', '"quiz":', ':"quiz"') },
  { weight: 1, arbitrary: fc.constantFrom("{", "}", "[", "]", '":{"', "\n", "é", "/", "true", "1") },
);
const text = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
const name = fc.oneof(
  fc.constantFrom(
    "type",
    "message",
    "content",
    "text",
    "name",
    "input",
    "cwd",
    "prompt",
    "filename",
    "quizId",
  ),
  text,
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 3, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(true, null, 7) },
    { weight: 1, arbitrary: fc.array(tie("any"), { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.dictionary(name, tie("any"), { maxKeys: 3 }) },
  ),
})).any;
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: value }),
  fc.record({ type: fc.constant("thinking"), thinking: value }),
  fc.record({ type: fc.constant("tool_use"), id: text, name: text, input: value }),
  fc.record({ type: fc.constant("tool_result"), tool_use_id: text, content: value }),
  value,
);
const content = fc.oneof(text, fc.array(block, { maxLength: 2 }));
const message = fc.record({ model: text, content }, { requiredKeys: ["content"] });
const note = fc.record({ filename: value, content: value, prompt: content }, { requiredKeys: [] });
const spoken = fc.record(
  { type: fc.constantFrom("user", "assistant"), cwd: text, message, toolUseResult: value, sessionId: text },
  { requiredKeys: ["type", "message"] },
);
const noted = fc.record(
  {
    type: fc.constantFrom("system", "progress"),
    content: value,
    attachment: note,
    customTitle: text,
    cwd: text,
  },
  { requiredKeys: ["type"] },
);
// In any order: versions of the client differ in it.
const entry = fc
  .oneof(spoken, noted)
  .chain((members) =>
    fc
      .shuffledSubarray(Object.entries(members), { minLength: Object.keys(members).length })
      .map((shuffled) => Object.fromEntries(shuffled)),
  );
const anyLine = fc.oneof(
  { weight: 8, arbitrary: entry.map((each) => JSON.stringify(each)) },
  // As others write JSON, with spaces; and lines that are torn.
  { weight: 1, arbitrary: entry.map((each) => JSON.stringify(each, null, 1).replaceAll("\n", " ")) },
  {
    weight: 1,
    arbitrary: fc.tuple(entry, fc.nat(200)).map(([each, length]) => JSON.stringify(each).slice(0, length)),
  },
);

test("mayBeText() never leaves out a line whose text holds the word", () => {
  fc.assert(
    fc.property(anyLine, (each) => {
      const left = [...withOneWord(each)].filter((one) => isInText(one) && !mayMatch(one));
      expect(left).toEqual([]);
    }),
    { numRuns: 5000 },
  );
});
