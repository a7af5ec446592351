import { expect, test } from "vitest";
import { seededRandom, type SeededRandom } from "../../test/support/index.ts";
import { randomSession } from "../../test/support/random-session.ts";
import { openLineMemory, skimListedLine, type ListedLine } from "./listed-line.ts";

const BYTES = 1 << 20;
const memory = openLineMemory(BYTES)!;

/** What is said of a line, as text; `contentText` is asked for as well. */
function said(bytes: Buffer, start: number, end: number): object | undefined {
  const line = skimListedLine(bytes, start, end);
  if (line === undefined) return undefined;
  const text = (name: keyof ListedLine): string | undefined => {
    const range = line[name] as ListedLine["type"];
    return range.start < 0 ? undefined : bytes.toString("latin1", range.start, range.end);
  };
  const { isSidechain, isMeta } = line;
  const names = ["type", "uuid", "parentUuid", "timestamp", "cwd", "gitBranch", "contentText"] as const;
  return { isSidechain, isMeta, texts: names.map(text) };
}

function saidInMemory(line: Buffer, at: number): object | undefined {
  line.copy(memory, at);
  return said(memory, at, at + line.length);
}

test("skimListedLine() says the same of a line in its memory as of one elsewhere, and of what damage leaves of it", () => {
  const random = seededRandom(Date.now() % 1_000_000_000);
  let entries = 0;
  for (let round = 0; round < 60; round++) {
    const lines = randomSession(random, { isDamaged: round % 3 === 0, paddingMax: 3000 });
    for (const line of lines) {
      for (const bytes of [line, ...damaged(line, lines, random)].map((text) => Buffer.from(text))) {
        const elsewhere = said(bytes, 0, bytes.length);
        if (elsewhere) entries++;
        expect(saidInMemory(bytes, random.between(0, 1000)), `seed ${random.seed}`).toEqual(elsewhere);
      }
    }
  }
  expect(entries).toBeGreaterThan(500);
});

function damaged(line: string, lines: string[], random: SeededRandom): string[] {
  const at = random.between(0, line.length);
  const other = lines[random.between(0, lines.length - 1)]!;
  const letter = '{}[]",:\\ \u0000\u0001x1'.charAt(random.between(0, 12));
  return [
    line.slice(0, at),
    line.slice(at),
    line.slice(0, at) + other,
    line.slice(0, at) + letter + line.slice(at),
    line.slice(0, at) + letter + line.slice(at + 1),
    `\ufeff${line}`,
    `${line} \r`,
    ` ${line}`,
  ];
}

test.each([
  ['{"type":"user","message":{"content":"\u2192 \\"x\\""},"isMeta":true}'],
  ['{"type":"user","message":{"content":[{"type":"text","text":"x"}]},"isSidechain":true}'],
  ['{"type":"user","message":"content"}'],
  ['{"type":"user","message":{"message":{"content":"x"}}}'],
  ['{"type":"user","uuid":1,"timestamp":null,"cwd":{"cwd":"x"},"gitBranch":[]}'],
  ['{"type":1}'],
  ['{"message":{"type":"user"}}'],
  [`{"type":"user","deep":${"[".repeat(100)}${"]".repeat(100)}}`],
  ["{}"],
  [""],
])("skimListedLine() says the same of %s in its memory as elsewhere", (line) => {
  const bytes = Buffer.from(line);
  expect(saidInMemory(bytes, 64)).toEqual(said(bytes, 0, bytes.length));
});

test("skimListedLine() skims a usual line by WebAssembly, and asks for its content once more", () => {
  const bytes = Buffer.from('{"type":"user","message":{"role":"user","content":"hello"},"uuid":"u"}');
  const elsewhere = skimListedLine(bytes, 0, bytes.length);
  bytes.copy(memory);
  const line = skimListedLine(memory, 0, bytes.length)!;
  expect(line).not.toBe(elsewhere);
  const { start, end } = line.contentText;
  expect(memory.toString("latin1", start, end)).toBe("hello");
});
