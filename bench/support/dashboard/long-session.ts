import fs from "node:fs";
import path from "node:path";
import { answerLine, answerUuid } from "../answer-line.ts";
import { openCorpus } from "../corpus/open-corpus.ts";
import type { BenchContext } from "../measure.ts";

/** A transcript to write to. */
export interface LongSession {
  readonly entries: number;
  readonly file: string;
  readonly sessionId: string;
  /** The last thing that is said in it, and nowhere else. */
  readonly lastWords: string;
  /** Appends an answer that says this, as the client does. */
  append(text: string): void;
  /** Appends many at once, in one write. */
  appendAll(texts: readonly string[]): void;
}

/** More than a line has, so that there are enough. */
const BYTES_PER_ENTRY = 2500;
const LINE_BYTES_MAX = 4000;

/** Writes a transcript of exactly so many entries into a config folder. */
export function writeLongSession(context: BenchContext, configDir: string, entries: number): LongSession {
  const corpus = openCorpus(
    {
      seed: 6,
      bytes: entries * BYTES_PER_ENTRY,
      sessions: 1,
      agents: 0,
      layout: "new",
      lineBytesMax: LINE_BYTES_MAX,
    },
    context,
  );
  const { path: place, cwd } = corpus.truth.sessions[0]!;
  // Several long ones come of one seed.
  const original = path.basename(place, ".jsonl");
  const sessionId = `${String(entries).padStart(8, "0")}${original.slice(8)}`;
  const text = fs.readFileSync(path.join(corpus.configDir, place), "utf8").replaceAll(original, sessionId);
  const lines = text.split("\n", entries - 1);
  const file = path.join(configDir, path.dirname(place), `${sessionId}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  let number = 0;
  let parentUuid = lastUuid(lines);
  const nextLine = (said: string): string => {
    number++;
    const line = answerLine({ sessionId, cwd, number, text: said, parentUuid });
    parentUuid = answerUuid(number);
    return `${line}\n`;
  };
  const appendAll = (texts: readonly string[]): void =>
    fs.appendFileSync(file, texts.map((said) => nextLine(said)).join(""));
  const lastWords = `Here end ${entries} entries.`;
  appendAll([lastWords]);
  return { entries, file, sessionId, lastWords, append: (said) => appendAll([said]), appendAll };
}

function lastUuid(lines: readonly string[]): string {
  for (const line of lines.toReversed()) {
    const { type, uuid } = JSON.parse(line) as { type: string; uuid?: string };
    if (uuid !== undefined && (type === "user" || type === "assistant")) return uuid;
  }
  throw new Error("Cannot write a long session: nothing is said in it");
}
