import { isAssistant, isMessage, textOf, toolUsesOf } from "../format/entry-kinds.ts";
import type { Entry } from "../format/entries/entry.ts";
import { isJsonObject } from "../format/json-object.ts";
import { readJson } from "../lib/read-json.ts";
import { findAgent } from "../store/list/find-agent.ts";
import type { SessionRef } from "../store/list/find-session.ts";
import { openConversation } from "../store/read/conversation.ts";
import { readUsage } from "../store/read/session-usage.ts";
import type { ClientAgent } from "./client-agent.ts";
import { findLaunchedAgent } from "./launched-agent.ts";

/**
 * The agent of a client by its id, or a beginning that only one has, in either layout; by a whole id also one of which only the
 * result is left, in the transcript that launched it. Undefined when no transcript knows it. Throws `session_ambiguous`.
 */
export async function readClientAgent(
  configDir: string,
  { id, now }: { id: string; now: Date },
): Promise<ClientAgent | undefined> {
  const session = findAgent(configDir, id);
  return session ? ofTranscript(session, now) : findLaunchedAgent(configDir, id);
}

async function ofTranscript(session: SessionRef, now: Date): Promise<ClientAgent> {
  const agentId = /agent-(.+)\.jsonl$/.exec(session.path)?.[1] ?? session.sessionId;
  const meta = readJson(session.path.replace(/\.jsonl$/, ".meta.json"));
  const facts = isJsonObject(meta) ? meta : {};
  const said = await readSaid(session.path);
  const { byModel: _, ...counts } = await readUsage(session.path);
  const usage = {
    input_tokens: counts.inputTokens,
    output_tokens: counts.outputTokens,
    cache_creation_input_tokens: counts.cacheCreationTokens,
    cache_read_input_tokens: counts.cacheReadTokens,
  };
  const { startedAt, updatedAt } = said;
  const status = facts["finished"] === true || said.isAnswered ? "completed" : statusOf(updatedAt, now);
  const spent = startedAt === null || updatedAt === null ? 0 : Date.parse(updatedAt) - Date.parse(startedAt);
  return {
    agentId,
    session,
    hasConversation: true,
    agentType: textIn(facts["agentType"]),
    description: textIn(facts["description"]),
    prompt: said.prompt,
    cwd: said.cwd,
    startedAt,
    updatedAt,
    output: {
      retrieval_status: status === "running" ? "not_ready" : "success",
      agentId,
      status,
      content: said.answer === "" ? [] : [{ type: "text", text: said.answer }],
      totalDurationMs: Math.max(0, spent || 0),
      totalTokens: Object.values(usage).reduce((sum, each) => sum + each, 0),
      totalToolUseCount: said.toolUses,
      usage,
      outputFile: session.path,
    },
  };
}

// A client writes at every step; one that has not for so long has ended, or was ended.
const SILENT_MS = 15 * 60 * 1000;

function statusOf(updatedAt: string | null, now: Date): "running" | "lost" {
  const silent = updatedAt === null ? Infinity : now.getTime() - Date.parse(updatedAt);
  return silent < SILENT_MS ? "running" : "lost";
}

interface Said {
  prompt: string;
  /** The text of its last message; empty while tools are to be run. */
  answer: string;
  isAnswered: boolean;
  toolUses: number;
  cwd: string | null;
  startedAt: string | null;
  updatedAt: string | null;
}

async function readSaid(file: string): Promise<Said> {
  const said: Said = {
    prompt: "",
    answer: "",
    isAnswered: false,
    toolUses: 0,
    cwd: null,
    startedAt: null,
    updatedAt: null,
  };
  const conversation = await openConversation(file);
  try {
    let message: string | undefined;
    for (const entry of conversation.entries()) {
      noteTimes(said, entry);
      if (!isMessage(entry)) continue;
      const uses = toolUsesOf(entry).length;
      said.toolUses += uses;
      if (!isAssistant(entry)) {
        if (said.prompt === "") said.prompt = textOf(entry);
        said.isAnswered = false;
        continue;
      }
      // A message comes in several lines: its texts are the answer together.
      const isSame = message !== undefined && message === entry.message.id;
      message = entry.message.id;
      said.answer = [isSame ? said.answer : "", textOf(entry)].filter(Boolean).join("\n");
      said.isAnswered = uses === 0 && said.answer !== "";
    }
  } finally {
    conversation.close();
  }
  return said;
}

function noteTimes(said: Said, entry: Entry): void {
  const { timestamp, cwd } = entry as { timestamp?: unknown; cwd?: unknown };
  if (typeof cwd === "string") said.cwd ??= cwd;
  if (typeof timestamp !== "string" || Number.isNaN(Date.parse(timestamp))) return;
  said.startedAt ??= timestamp;
  said.updatedAt = timestamp;
}

function textIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
