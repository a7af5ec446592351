import type { Entry } from "../../format/entries/entry.ts";
import { followTranscript } from "../../store/follow-transcript.ts";
import type { AgentSettings } from "../../tasks/kinds/agent/agent-settings.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Task } from "../../tasks/task.ts";
import type { CommandContext } from "../command.ts";
import { readItems } from "../conversation/read-items.ts";
import { lastOf } from "../last-of.ts";
import { ConversationRenderer } from "../render/conversation-renderer.ts";
import { makeStyle } from "../render/style.ts";

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
  { environment, output }: CommandContext,
  tasks: Tasks,
  { task, agent, follow = false, tail }: AgentLogOptions,
): Promise<void> {
  const renderer = new ConversationRenderer({
    columns: environment.stdout.columns,
    style: makeStyle(environment.stdout),
    isLive: follow,
  });
  const write = async (lines: string[]): Promise<void> => {
    for (const line of lines) await output.write(`${line}\n`);
    await output.flush();
  };
  const over = new AbortController();
  const ended = follow ? tasks.wait(task, { signal: over.signal }).finally(() => over.abort()) : over.abort();
  const begun = readTranscript(agent.transcript.path, over.signal);
  const entries = tail === undefined || follow ? begun : lastOf(begun, tail);
  // Who watches wants to see a tool when it begins.
  const items = follow ? readItems(entries, { lookaheadMax: 0 }) : readItems(entries);
  try {
    for await (const item of items) await write(renderer.render(item));
    await write(renderer.end());
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
