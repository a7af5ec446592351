import { blocksIn, isUser } from "../format/entry-kinds.ts";
import { parseTaskId } from "../format/ids.ts";
import { isJsonObject } from "../format/json-object.ts";
import { eachProjectFolder, type TranscriptFile } from "../store/list/transcript-files.ts";
import { entryOfLine } from "../store/line/read-line.ts";
import { scanTranscript } from "../store/line/scan-transcript.ts";
import { noUsage } from "../tasks/kinds/agent/agent-progress.ts";
import type { ContentPart } from "../tasks/ports.ts";
import type { ClientAgent } from "./client-agent.ts";

/**
 * An agent whose own transcript is gone, from the result that its session has of it. Reads the transcripts of sessions, the newest
 * first, until one names it: only for what has the form of an agent's id.
 */
export async function findLaunchedAgent(configDir: string, id: string): Promise<ClientAgent | undefined> {
  const kind = parseTaskId(id)?.kind;
  if (kind !== "agent" && kind !== "teammate") return undefined;
  const files = [...eachProjectFolder(configDir)].flatMap(({ sessions }) => sessions);
  for (const file of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    const found = await inSession(file, id);
    if (found) return found;
  }
  return undefined;
}

async function inSession(file: TranscriptFile, id: string): Promise<ClientAgent | undefined> {
  const mark = Buffer.from(`"agentId":${JSON.stringify(id)}`);
  let found: ClientAgent | undefined;
  try {
    await scanTranscript(file.path, (line) => {
      if (line.includes(mark)) found = agentIn(line, { file, id }) ?? found;
    });
  } catch {
    // Gone meanwhile, or not ours to read.
    return undefined;
  }
  return found;
}

function agentIn(line: Buffer, { file, id }: { file: TranscriptFile; id: string }): ClientAgent | undefined {
  const entry = entryOfLine(Buffer.from(line));
  if (!entry || !isUser(entry) || !isJsonObject(entry.toolUseResult)) return undefined;
  const told = entry.toolUseResult;
  if (told["agentId"] !== id) return undefined;
  const count = (key: string): number => (typeof told[key] === "number" ? told[key] : 0);
  const text = (key: string): string | null => (typeof told[key] === "string" ? told[key] : null);
  const isAsync = told["isAsync"] === true || told["status"] === "async_launched";
  const { sessionId, projectKey, path } = file;
  const { cwd = null, timestamp = null } = entry as { cwd?: string; timestamp?: string };
  return {
    agentId: id,
    session: { sessionId, projectKey, path },
    hasConversation: false,
    agentType: text("agentType"),
    description: text("description"),
    prompt: text("prompt") ?? "",
    cwd,
    startedAt: null,
    updatedAt: timestamp,
    output: {
      retrieval_status: "success",
      agentId: id,
      // It was launched, its transcript is gone, and this says nothing of an ending.
      status: isAsync ? "lost" : "completed",
      content: isAsync ? [] : (blocksIn(told["content"]) as readonly ContentPart[]).slice(),
      totalDurationMs: count("totalDurationMs"),
      totalTokens: count("totalTokens"),
      totalToolUseCount: count("totalToolUseCount"),
      usage: { ...noUsage, ...(isJsonObject(told["usage"]) && countsOf(told["usage"])) },
      outputFile: text("outputFile") ?? path,
    },
  };
}

function countsOf(usage: Record<string, unknown>): Record<string, number> {
  const known = Object.keys(noUsage).filter((key) => typeof usage[key] === "number");
  return Object.fromEntries(known.map((key) => [key, usage[key] as number]));
}
