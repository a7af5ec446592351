import { expect, test } from "vitest";
import { Column } from "./message-table.ts";
import { scanLinesProgram } from "./scan-lines-program.ts";
import { UsageReader } from "./usage-reader.ts";

test("scanLinesProgram() makes a program that WebAssembly takes", () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { validate(code: Uint8Array): boolean } };
  expect(WebAssembly.validate(scanLinesProgram())).toBe(true);
});

const said = [{ type: "text", text: 'He said "{}".' }];

function answerOf(id: string, output: number): string {
  return JSON.stringify({
    parentUuid: `parent of ${id}`,
    message: {
      id,
      model: "claude-opus-4-6",
      content: said,
      stop_reason: null,
      usage: { input_tokens: 3, output_tokens: output, cache_creation: { ephemeral_5m_input_tokens: 0 } },
    },
    requestId: `request\\${id}`,
    type: "assistant",
    timestamp: "2026-11-16T15:00:00.000Z",
    cwd: `/home/${id}/a folder with a rather long name`,
  });
}

/** A reader that knows the forms of lines. */
function learned(...lines: string[]): UsageReader {
  const reader = new UsageReader();
  for (const line of lines) reader.read(Buffer.from(line), 0, line.length);
  reader.messages.take();
  return reader;
}

/** What a reader finds in a line of a form that it knows; "unknown" in another one. */
function match(reader: UsageReader, line: string | Buffer): number[] | "unknown" {
  reader.buffer.write(`${line.toString("latin1")}\n`, "latin1");
  const stop = reader.readKnown(0, line.length + 1);
  const rows = [...reader.messages.take()];
  if (stop > 0) return rows;
  expect(rows).toEqual([]);
  return "unknown";
}

/** The same, by skimming. */
function skim(line: Buffer): number[] {
  const reader = new UsageReader();
  reader.read(line, 0, line.length);
  return [...reader.messages.take()];
}

test("AnswerForms knows a line like one that it learned, with other values", () => {
  const reader = learned(answerOf("a", 1));
  const other = answerOf("somebody", 123_456_789);
  const row = match(reader, other);
  expect(row).toEqual(skim(Buffer.from(other)));
  expect([row[Column.output], row[Column.contentBytes]]).toEqual([123_456_789, JSON.stringify(said).length]);
});

test("AnswerForms takes no line for another, wherever the first other byte stands", () => {
  const reader = learned(answerOf("a", 1));
  const line = Buffer.from(answerOf("bcd", 77));
  const content = { start: line.indexOf("[{"), end: line.indexOf("}]") + 1 };
  const verdicts = new Set<string>();
  for (let at = 0; at < line.length; at++) {
    if (at > content.start && at < content.end) continue;
    for (const byte of Buffer.from('x7"\\ \0{')) {
      const changed = Buffer.from(line);
      changed[at] = byte;
      const row = match(reader, changed);
      verdicts.add(row === "unknown" ? row : "known");
      expect([changed.toString(), row]).toEqual([
        changed.toString(),
        row === "unknown" ? row : skim(changed),
      ]);
    }
    expect(match(reader, line.subarray(0, at))).toBe("unknown");
  }
  expect([...verdicts].sort()).toEqual(["known", "unknown"]);
});

test("AnswerForms counts nothing of what looks like the end of a line inside its content", () => {
  const usage = { input_tokens: 1, output_tokens: 2 };
  const cached = { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 5 };
  const lineOf = (content: object[], counts: object, stop: string | null): string =>
    JSON.stringify({ type: "assistant", message: { id: "m", content, usage: counts, stop } });
  const nested = lineOf([{ input: { content: [{}], usage: cached } }], usage, null);
  const expected = skim(Buffer.from(nested));
  // The end is first looked for where the line before had it.
  for (let length = 0; length < 150; length++) {
    const reader = learned(
      lineOf([{}], usage, null),
      lineOf([{}], cached, null),
      lineOf([{}], usage, "x".repeat(length)),
    );
    expect([length, match(reader, nested)]).toEqual([length, expected]);
  }
});
