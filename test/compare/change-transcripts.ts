import fs from "node:fs";
import path from "node:path";
import type { SeededRandom } from "../support/seeded-random.ts";
import { slowTranscripts } from "../recall/slow-documents.ts";

const GROWN = 12;

/**
 * Does to a config folder what clients and people do between two questions: some transcripts grow, one of them by half a
 * line, one is deleted, one is new, one loses its middle, and one is written anew with other numbers in the same size.
 */
export function changeTranscripts(configDir: string, random: SeededRandom): void {
  const files = slowTranscripts(configDir);
  // Each is changed in one way, and has something to count.
  const take = (): string => {
    for (;;) {
      if (files.length === 0) throw new Error(`Cannot change "${configDir}": it has too few transcripts`);
      const [file = ""] = files.splice(random.between(0, files.length - 1), 1);
      if (usageLines(file).length > 1) return file;
    }
  };
  for (let count = Math.min(GROWN, files.length / 4); count > 0; count--) grow(take(), random);
  const torn = take();
  fs.appendFileSync(torn, usageLines(torn)[0]!.slice(0, 100));
  fs.rmSync(take());
  copyAsNew(take(), random);
  rewrite(take(), (lines) => lines.filter((_, at) => at < lines.length / 3 || at > (lines.length * 2) / 3));
  rewrite(take(), (lines) => lines.map((line) => line.replace(/("output_tokens":)(\d*)\d/, changeLastDigit)));
}

function copyAsNew(file: string, random: SeededRandom): void {
  const sessionId = `00000000-0000-4000-8000-${String(random.between(0, 1e9)).padStart(12, "0")}`;
  const lines = usageLines(file).map((line) => `${asNew(line, random)}\n`);
  fs.writeFileSync(path.join(path.dirname(file), `${sessionId}.jsonl`), lines.join(""));
}

/** Appends messages that nobody has counted, and one that is counted already. */
function grow(file: string, random: SeededRandom): void {
  const lines = usageLines(file).slice(-3);
  const text = fs.readFileSync(file, "utf8");
  const gap = text.endsWith("\n") ? "" : "\n";
  fs.appendFileSync(
    file,
    `${gap}${[...lines.map((line) => asNew(line, random)), lines[0]!].map((line) => `${line}\n`).join("")}`,
  );
}

function rewrite(file: string, change: (lines: string[]) => string[]): void {
  fs.writeFileSync(file, change(fs.readFileSync(file, "utf8").split("\n")).join("\n"));
}

function changeLastDigit(_: string, key: string, digits: string): string {
  return `${key}${digits}${digits === "" ? 7 : 3}`;
}

function usageLines(file: string): string[] {
  return fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => /"output_tokens":\d/.test(line) && isMessage(line));
}

function isMessage(line: string): boolean {
  try {
    return typeof (JSON.parse(line) as { message?: { id?: unknown } }).message?.id === "string";
  } catch {
    return false;
  }
}

interface Message {
  uuid: string;
  parentUuid: string | null;
  requestId?: string;
  message: { id: string };
}

function asNew(line: string, random: SeededRandom): string {
  const entry = JSON.parse(line) as Message;
  const mark = String(random.between(0, 1e12)).padStart(12, "0");
  return JSON.stringify({
    ...entry,
    uuid: `00000000-0000-4000-8000-${mark}`,
    parentUuid: entry.uuid,
    requestId: `req_${mark}`,
    message: { ...entry.message, id: `msg_${mark}` },
  });
}
