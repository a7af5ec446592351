import { isAssistant, isMessage, textOf, toolUsesOf } from "../format/entry-kinds.ts";
import type { Entry } from "../format/entries/entry.ts";
import { isJsonObject } from "../format/json-object.ts";
import { readJson } from "../lib/read-json.ts";
import type { ArchiveContext } from "../store/archive/archived-copies.ts";
import { findAgent, type FoundAgent } from "../store/list/find-agent.ts";
import { openConversation } from "../store/read/conversation.ts";
import { readUsage } from "../store/read/session-usage.ts";
import type { ClientAgent } from "./client-agent.ts";
import { findLaunchedAgent } from "./launched-agent.ts";

/** What a manifest knows of an agent, and where its transcript is, if it has one that is there. */
export interface RecordedAgent {
  agent: ClientAgent;
  transcript?: string | undefined;
}

export interface ClientAgentPlace extends ArchiveContext {
  /** Looks an agent up in the manifests of launches. */
  findRecorded: (id: string) => Promise<RecordedAgent | undefined>;
}

/**
 * The agent of a client by its id, or a beginning that only one has, in either layout, also in the archive; one without a transcript
 * by the result that the transcript has that launched it (by its whole id), or by what a manifest says of it. Undefined when
 * nobody knows it. Throws `session_ambiguous`.
 */
export async function readClientAgent(
  place: ClientAgentPlace,
  { id, now }: { id: string; now: Date },
): Promise<ClientAgent | undefined> {
  const found = findAgent(place, id);
  if (found) return ofTranscript(found, now);
  const launched = await findLaunchedAgent(place, id);
  if (launched) return launched;
  const { agent, transcript } = (await place.findRecorded(id)) ?? {};
  if (!agent || transcript === undefined) return agent;
  return ofTranscript({ ...agent.session, agentId: agent.agentId, path: transcript }, now);
}

async function ofTranscript({ agentId, ...session }: FoundAgent, now: Date): Promise<ClientAgent> {
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
