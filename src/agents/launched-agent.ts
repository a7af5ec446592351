import { blocksIn, isUser, textsIn, toolResultsOf } from "../format/entry-kinds.ts";
import type { Entry } from "../format/entries/entry.ts";
import { parseTaskId } from "../format/ids.ts";
import { isJsonObject } from "../format/json-object.ts";
import type { ArchiveContext } from "../store/archive/archived-copies.ts";
import { listArchivedTranscripts } from "../store/archive/archived-transcripts.ts";
import { listAllTranscripts, type AnyTranscript } from "../store/list/all-transcripts.ts";
import { sessionOfAgentFile } from "../store/list/agent-file.ts";
import type { SessionRef } from "../store/list/find-session.ts";
import { listAgents, type SessionAgent } from "../store/list/session-agents.ts";
import { entryOfLine } from "../store/line/read-line.ts";
import { scanTranscript } from "../store/line/scan-transcript.ts";
import { noUsage } from "../tasks/kinds/agent/agent-progress.ts";
import type { ContentPart } from "../tasks/ports.ts";
import type { ClientAgent } from "./client-agent.ts";

/**
 * An agent whose own transcript is gone, from the result that is told where it was launched. Reads transcripts, the newest first
 * and the archive last, until one names it: only for what has the form of an agent's id.
 */
export async function findLaunchedAgent(
  context: ArchiveContext,
  id: string,
): Promise<ClientAgent | undefined> {
  if (!mayBeAgent(id)) return undefined;
  const newestFirst = (files: AnyTranscript[]): AnyTranscript[] =>
    files.sort((a, b) => b.mtimeMs - a.mtimeMs);
  for (const list of [() => listAllTranscripts(context.configDir), () => listArchivedTranscripts(context)]) {
    for (const file of newestFirst(list())) {
      const found = await whereLaunched(file, id);
      if (found) return found;
    }
  }
  return undefined;
}

// Six hex digits were given to commands and to agents alike.
function mayBeAgent(id: string): boolean {
  const kind = parseTaskId(id)?.kind;
  return kind === "agent" || kind === "teammate" || /^[0-9a-f]{6}$/.test(id);
}

async function whereLaunched(
  { path, sessionId = sessionOfAgentFile(path) ?? "", projectKey }: AnyTranscript,
  id: string,
): Promise<ClientAgent | undefined> {
  // As a field of the result, or as a line of its text.
  const marks = [`"agentId":${JSON.stringify(id)}`, `agentId: ${id}`].map((mark) => Buffer.from(mark));
  const lines: Buffer[] = [];
  const session = { sessionId, projectKey, path };
  try {
    await scanTranscript(path, (line) => {
      if (marks.some((mark) => line.includes(mark))) lines.push(Buffer.from(line));
    });
    if (lines.length === 0) return undefined;
    const agent = (await listAgents(session)).find(({ agentId }) => agentId === id);
    const told = agent && lines.map(entryOfLine).findLast((entry) => entry && tellsOf(entry, agent));
    return told && agentOf(told, agent, session);
  } catch {
    // Gone meanwhile, or not ours to read.
    return undefined;
  }
}

function tellsOf(entry: Entry, { agentId, toolUseId }: SessionAgent): boolean {
  const results = toolResultsOf(entry);
  const { toolUseResult } = entry as { toolUseResult?: unknown };
  const isNamed = isJsonObject(toolUseResult) && toolUseResult["agentId"] === agentId;
  return results.length > 0 && (isNamed || results.some(({ tool_use_id }) => tool_use_id === toolUseId));
}

function agentOf(entry: Entry, agent: SessionAgent, session: SessionRef): ClientAgent {
  const told = isUser(entry) && isJsonObject(entry.toolUseResult) ? entry.toolUseResult : {};
  const count = (key: string): number => (typeof told[key] === "number" ? told[key] : 0);
  const text = (key: string): string | undefined => (typeof told[key] === "string" ? told[key] : undefined);
  const isAsync = told["isAsync"] === true || told["status"] === "async_launched";
  const { cwd = null, timestamp = null } = entry as { cwd?: string; timestamp?: string };
  const { agentId } = agent;
  return {
    agentId,
    session,
    hasConversation: false,
    agentType: text("agentType") ?? agent.agentType ?? null,
    description: text("description") ?? agent.description ?? null,
    prompt: text("prompt") ?? agent.prompt ?? "",
    cwd,
    startedAt: null,
    updatedAt: timestamp,
    output: {
      retrieval_status: "success",
      agentId,
      // It was launched, its transcript is gone, and this says nothing of an ending.
      status: isAsync ? "lost" : "completed",
      content: isAsync ? [] : answerIn(entry, told, agentId),
      totalDurationMs: count("totalDurationMs"),
      totalTokens: count("totalTokens"),
      totalToolUseCount: count("totalToolUseCount"),
      usage: { ...noUsage, ...(isJsonObject(told["usage"]) && countsOf(told["usage"])) },
      outputFile: text("outputFile") ?? session.path,
    },
  };
}

// Where only the result's text names the agent, its answer stands before that.
function answerIn(entry: Entry, told: Record<string, unknown>, agentId: string): ContentPart[] {
  if (told["content"] !== undefined) return (blocksIn(told["content"]) as readonly ContentPart[]).slice();
  const said = toolResultsOf(entry).flatMap(({ content }) => textsIn(content));
  const [answer = ""] = said.join("\n").split(`agentId: ${agentId}`);
  return answer.trim() === "" ? [] : [{ type: "text", text: answer.trim() }];
}

function countsOf(usage: Record<string, unknown>): Record<string, number> {
  const known = Object.keys(noUsage).filter((key) => typeof usage[key] === "number");
  return Object.fromEntries(known.map((key) => [key, usage[key] as number]));
}
