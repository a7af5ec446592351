import fs from "node:fs";
import { isAssistant, isUser } from "../../format/entry-kinds.ts";
import type { Entry } from "../../format/entries/entry.ts";
import { configPaths } from "../../format/paths.ts";
import { removeOwed, writeOwed, type AskIfOver } from "../../store/owed/owed-answer.ts";
import { openSessionWriter, type EntryDraft } from "../../store/write/session-writer.ts";
import type { AgentTask } from "../host/host-local-agent.ts";
import { projectKeyOfPath, transcriptOf, type TranscriptPlace } from "../launch/agent-transcript.ts";
import { beginAgent, type AgentLaunchContext } from "../launch/launch-agent.ts";

export interface OwedBegin {
  /** As it stands in the session's transcript. */
  conversation: readonly Entry[];
  /** What stands behind it only here, so that it can be gone on with. */
  closing?: readonly (EntryDraft & { uuid: string })[] | undefined;
  /** What is said then: the first that is owed. */
  drafts?: readonly EntryDraft[] | undefined;
  start: () => Promise<void>;
}

/**
 * Begins an agent with the conversation of its session, whose entries keep their uuids, and writes down before it starts
 * that what it says is owed to that session.
 */
export async function beginOwed(
  context: AgentLaunchContext,
  task: AgentTask,
  { conversation, closing = [], drafts = [], start }: OwedBegin,
): Promise<void> {
  const said = conversation.filter((entry) => isUser(entry) || isAssistant(entry));
  const known = [...said.map(draftOf), ...closing];
  const after = (known.at(-1)?.uuid as string | undefined) ?? null;
  await beginAgent(context, task, {
    drafts: [...known, ...drafts],
    async start() {
      oweAnswer(context, task, { after });
      try {
        await start();
      } catch (error) {
        const { sessionId, agentId } = task.record.agent.transcript;
        if (agentId !== undefined) removeOwed(context.home, { sessionId, agentId });
        throw error;
      }
    },
  });
}

/** Writes down that what stands in the agent's transcript behind an entry is owed to its session. */
export function oweAnswer(
  { home, clock }: Pick<TranscriptPlace, "home" | "clock">,
  { record, files }: AgentTask,
  { after }: { after: string | null },
): void {
  const { path, sessionId, agentId } = transcriptOf(files, record.agent);
  if (agentId === undefined) return;
  const task = { projectKey: files.projectKey, id: files.id };
  writeOwed(home, { sessionId, agentId, transcript: path, after, task, at: clock.now().toISOString() });
}

/**
 * Appends what an agent that has just ended in this process owes to its session, if nobody else writes that now; then it
 * waits for who does, or comes next.
 */
export async function payOwed(
  place: TranscriptPlace & { isTaskOver: AskIfOver },
  { record, files }: AgentTask,
): Promise<void> {
  const { agent, cwd } = record;
  if (!agent.isOwed) return;
  const transcript = transcriptOf(files, agent);
  const { sessionId } = transcript;
  const projectKey = projectKeyOfPath(transcript);
  // It may be in the trash or in the archive: there it is found again.
  if (!fs.existsSync(configPaths(place.configDir).transcriptPath({ projectKey, sessionId }))) return;
  const isTaskOver: AskIfOver = async (task) => task.id === files.id || place.isTaskOver(task);
  try {
    const writer = await openSessionWriter({ ...place, isTaskOver }, { cwd, sessionId, projectKey });
    await writer.close();
  } catch {
    /* Somebody has it open: it is his to append. */
  }
}

function draftOf(entry: Entry): EntryDraft & { uuid?: unknown } {
  const { parentUuid: _, logicalParentUuid: __, ...rest } = entry as Record<string, unknown>;
  return { ...rest, isSidechain: true } as unknown as EntryDraft;
}
