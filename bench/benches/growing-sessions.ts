import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { answerLine } from "../support/answer-line.ts";
import type { Corpus } from "../support/corpus/open-corpus.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { BenchContext } from "../support/measure.ts";
import { openSmallSessions } from "./small-sessions.ts";

/** The line that was just written, and what is true with it. */
export interface NewLine {
  readonly word: string;
  readonly sessionId: string;
  readonly messages: number;
  readonly sessions: number;
}

export interface GrowingSessions {
  readonly env: { CLAUDE_CONFIG_DIR: string; HOLDFAST_HOME: string };
  append(): NewLine;
}

const grown = new Map<number, GrowingSessions>();

/** A copy of so many small sessions to write to, all of them in the index; made once a run. */
export function openGrowingSessions(context: BenchContext, count: number): GrowingSessions {
  const known = grown.get(count);
  if (known) return known;
  const corpus = openSmallSessions(context, count);
  const dir = path.join(context.scratchDir, `growing-${count}`);
  const env = { CLAUDE_CONFIG_DIR: path.join(dir, "config"), HOLDFAST_HOME: path.join(dir, "home") };
  fs.cpSync(corpus.configDir, env.CLAUDE_CONFIG_DIR, { recursive: true, preserveTimestamps: true });
  const [program, ...args] = [...installedCommand(context), "index"];
  const done = spawnSync(program, args, { env: { ...process.env, ...env }, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`Cannot run "holdfast index": ${done.stderr}`);
  const growing = { env, append: appender(corpus, env.CLAUDE_CONFIG_DIR) };
  grown.set(count, growing);
  return growing;
}

/** Writes one line more to another session each time, as the client does when a model has answered. */
function appender({ truth }: Corpus, configDir: string): () => NewLine {
  let count = 0;
  return () => {
    const { sessionId, cwd, path: file } = truth.sessions[(count * 7919) % truth.sessions.length]!;
    count++;
    const word = `grown${"abcdefghij"[count % 10]}${count}x`;
    fs.appendFileSync(
      path.join(configDir, file),
      `${answerLine({ number: count, sessionId, cwd, text: `The word is ${word}.` })}\n`,
    );
    return { word, sessionId, messages: truth.uniqueMessages + count, sessions: truth.sessions.length };
  };
}
