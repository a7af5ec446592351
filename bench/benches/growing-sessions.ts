import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
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
    fs.appendFileSync(path.join(configDir, file), `${answerLine({ count, sessionId, cwd, word })}\n`);
    return { word, sessionId, messages: truth.uniqueMessages + count, sessions: truth.sessions.length };
  };
}

function answerLine({
  count,
  sessionId,
  cwd,
  word,
}: {
  count: number;
  sessionId: string;
  cwd: string;
  word: string;
}): string {
  return JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    userType: "external",
    cwd,
    sessionId,
    version: "2.1.300",
    gitBranch: "main",
    type: "assistant",
    uuid: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`,
    timestamp: new Date().toISOString(),
    requestId: `req_${count}`,
    message: {
      id: `msg_grown_${count}`,
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-5-20250929",
      content: [{ type: "text", text: `The word is ${word}.` }],
      stop_reason: "end_turn",
      usage: {
        input_tokens: 3,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 7,
      },
    },
  });
}
