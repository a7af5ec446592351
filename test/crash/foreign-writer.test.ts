import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readConversation } from "../../src/store/read/conversation.ts";
import { openTranscriptWriter } from "../../src/store/write/transcript-writer.ts";
import { tempDir } from "../support/index.ts";

interface Place {
  offset: number;
  length: number;
}

type Step =
  | "ours"
  | "foreign line"
  | "foreign line without newline"
  | "foreign torn line"
  | "foreign cut of the tail";

const steps = fc.array(
  fc.constantFrom<Step>(
    "ours",
    "ours",
    "foreign line",
    "foreign line without newline",
    "foreign torn line",
    "foreign cut of the tail",
  ),
  { minLength: 1, maxLength: 12 },
);

test("append() starts clean behind whatever another program did to the file in between", async () => {
  const dir = tempDir();
  let files = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const file = path.join(dir, `${++files}.jsonl`);
      const writer = openTranscriptWriter({ file, leaseDir: path.join(dir, "leases"), sessionId: "s" });
      // What the file must hold, as lines; the last one is still open when `isOpen`.
      const lines: string[] = [];
      let isOpen = false;
      const foreign = (text: string, ends: boolean): void => {
        fs.appendFileSync(file, ends ? `${text}\n` : text);
        lines.push((isOpen ? lines.pop()! : "") + text);
        isOpen = !ends;
      };
      for (const [n, step] of plan.entries()) {
        if (step === "ours") {
          await writer.append({ type: "ours", n });
          lines.push(`{"type":"ours","n":${n}}`);
          isOpen = false;
        }
        if (step === "foreign line") foreign(`{"type":"foreign","n":${n}}`, true);
        if (step === "foreign line without newline") foreign(`{"type":"foreign","n":${n}}`, false);
        if (step === "foreign torn line") foreign(`{"type":"for`, false);
        if (step === "foreign cut of the tail" && lines.length > 0 && !isOpen) {
          fs.truncateSync(file, fs.statSync(file).size - 4);
          lines.push(lines.pop()!.slice(0, -3));
          isOpen = true;
        }
      }
      await writer.append({ type: "last" });
      await writer.close();
      expect(fs.readFileSync(file, "utf8").split("\n")).toEqual([...lines, '{"type":"last"}', ""]);
      const { rejections } = await readConversation(file);
      const places: Place[] = rejections.map(({ offset, length }) => ({ offset, length }));
      expect(places).toEqual(placesOfBadLines([...lines, '{"type":"last"}']));
    }),
    { numRuns: 60 },
  );
});

function placesOfBadLines(lines: string[]): Place[] {
  let offset = 0;
  const places = lines.map((line) => {
    const place = { offset, length: line.length };
    offset += line.length + 1;
    return place;
  });
  return places.filter((_, index) => !isWhole(lines[index]!));
}

function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
