import type { Entry } from "../../../format/entries/entry.ts";
import { followTranscript } from "../../../store/read/follow-transcript.ts";
import type { AgentSettings } from "../../../tasks/kinds/agent/agent-settings.ts";
import type { Tasks } from "../../../tasks/open-tasks.ts";
import type { Task } from "../../../tasks/record/task.ts";
import type { CommandContext } from "../command.ts";
import { writeConversation } from "../conversation/write-conversation.ts";
import { lastOf } from "../last-of.ts";

export interface AgentLogOptions {
  task: Task;
  agent: AgentSettings;
  /** Go on until the task has ended. */
  follow?: boolean | undefined;
  /** Only the last so many entries. */
  tail?: number | undefined;
}

/** Writes the conversation of an agent as `show` does, as far as it is, or until the agent has ended. */
export async function writeAgentLog(
  context: CommandContext,
  tasks: Tasks,
  { task, agent, follow = false, tail }: AgentLogOptions,
): Promise<void> {
  const over = new AbortController();
  const ended = follow ? tasks.wait(task, { signal: over.signal }).finally(() => over.abort()) : over.abort();
  const begun = readTranscript(agent.transcript.path, over.signal);
  const entries = tail === undefined || follow ? begun : lastOf(begun, tail);
  try {
    await writeConversation(context, entries, { isLive: follow });
  } finally {
    over.abort();
    await ended;
  }
}

/** The entries that are there now. */
export function readAgentEntries({ transcript }: AgentSettings): AsyncGenerator<Entry> {
  return readTranscript(transcript.path, AbortSignal.abort());
}

async function* readTranscript(file: string, until: AbortSignal): AsyncGenerator<Entry> {
  const never = new AbortController().signal;
  for await (const event of followTranscript(file, { signal: never, until }))
    if (event.kind === "entry") yield event.entry;
}
