import type { Entry } from "../format/entries/entry.ts";
import { readConversation } from "../store/read/conversation.ts";
import { followTranscript } from "../store/read/follow-transcript.ts";
import { taskError } from "../tasks/errors.ts";
import type { Task } from "../tasks/record/task.ts";
import { waitForEnd } from "../tasks/record/wait-task.ts";

export interface AgentEntriesOptions {
  /** Go on until the agent has ended; by default only what is there now. */
  follow?: boolean | undefined;
  /** Only the end of the conversation: so many entries, read from there. */
  last?: number | undefined;
}

/** The conversation of an agent, entry by entry. Lines that are no entries are left out. */
export async function* agentEntries(
  task: Task,
  { follow = false, last }: AgentEntriesOptions = {},
): AsyncGenerator<Entry> {
  const { id, agent } = task.record;
  if (!agent)
    throw taskError("not_supported", `Cannot read the conversation of task "${id}": it is not an agent`);
  if (last !== undefined) {
    yield* (await readConversation(agent.transcript.path, { last })).entries;
    return;
  }
  const over = new AbortController();
  const ended = follow ? waitForEnd(task, { signal: over.signal }).finally(() => over.abort()) : over.abort();
  const never = new AbortController().signal;
  try {
    for await (const event of followTranscript(agent.transcript.path, { signal: never, until: over.signal }))
      if (event.kind === "entry") yield event.entry;
  } finally {
    over.abort();
    await ended;
  }
}
