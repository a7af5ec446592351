import { expect, test } from "vitest";
import { LineSkimmer } from "../store/skim-line.ts";
import { AnswerForms } from "./answer-forms.ts";
import { FormMemory } from "./form-memory.ts";
import { matchFormProgram } from "./match-form-program.ts";

test("matchFormProgram() makes a program that WebAssembly takes", () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { validate(code: Uint8Array): boolean } };
  expect(WebAssembly.validate(matchFormProgram())).toBe(true);
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

function learned(line: string): { forms: AnswerForms; match: (line: string | Buffer) => string } {
  const memory = FormMemory.open()!;
  const forms = new AnswerForms(memory);
  const skimmer = new LineSkimmer({ onlyType: "assistant" });
  const bytes = Buffer.from(line);
  const isAnswer = skimmer.skim(bytes, 0, bytes.length);
  forms.learn(skimmer, bytes, { start: 0, end: bytes.length, isAnswer });
  return {
    forms,
    match(other) {
      memory.bytes.write(other.toString("latin1"), "latin1");
      return forms.match(0, other.length);
    },
  };
}

test("AnswerForms knows a line like one that it learned, with other values", () => {
  const { forms, match } = learned(answerOf("a", 1));
  const other = answerOf("somebody", 123_456_789);
  expect(match(other)).toBe("answer");
  const { messageId, requestId, uuid, counts, contentBytes } = forms;
  expect({
    messageId: other.slice(messageId.start, messageId.end),
    requestId: other.slice(requestId.start, requestId.end),
    hasUuid: uuid.start >= 0,
    counts: [...counts],
    contentBytes,
  }).toEqual({
    messageId: "somebody",
    requestId: "request\\\\somebody",
    hasUuid: false,
    counts: [3, 123_456_789, 0, 0, 0, 0],
    contentBytes: JSON.stringify(said).length,
  });
});

test("AnswerForms takes no line for another, wherever the first other byte stands", () => {
  const { forms, match } = learned(answerOf("a", 1));
  const line = Buffer.from(answerOf("bcd", 77));
  const content = { start: line.indexOf("[{"), end: line.indexOf("}]") + 1 };
  const verdicts = new Set<string>();
  const skimmer = new LineSkimmer();
  for (let at = 0; at < line.length; at++) {
    if (at > content.start && at < content.end) continue;
    for (const byte of Buffer.from('x7"\\ \0{')) {
      const changed = Buffer.from(line);
      changed[at] = byte;
      const verdict = match(changed);
      verdicts.add(verdict);
      if (verdict !== "answer") continue;
      expect(skimmer.skim(changed, 0, changed.length)).toBe(true);
      expect(placesOf(forms)).toEqual(placesOf(skimmer));
    }
    expect(match(line.subarray(0, at))).toBe("unknown");
  }
  expect([...verdicts].sort()).toEqual(["answer", "unknown"]);
});

function placesOf({ messageId, requestId, timestamp, model }: AnswerForms | LineSkimmer): object {
  return { messageId, requestId, timestamp, model };
}
