import {
  blocksOf,
  isAssistant,
  isUser,
  toolResultsOf,
  toolUsesOf,
  uuidOf,
} from "../../format/entry-kinds.ts";
import type { AssistantEntry, Entry, UserEntry } from "../../format/index.ts";
import type { EntryDraft } from "../../store/write/session-writer.ts";
import type { ContentPart } from "../../tasks/ports.ts";
import { textsOf } from "./content-parts.ts";

/** What is said to an agent that goes on after an interruption, when nobody said anything new. */
export const continuePrompt = "Your last run was interrupted. Continue where it stopped.";

export function promptDraft(prompt: string): EntryDraft {
  return { type: "user", message: { role: "user", content: prompt } };
}

/** Where a conversation stands when a run begins. */
export interface ConversationEnd {
  /** Results for tool uses that have none: whether they ran nobody knows, so nobody may run them again unasked. */
  interrupted: EntryDraft[];
  /** The agent has given its answer and nobody has said anything since. */
  isAnswered: boolean;
  /** That answer. */
  answer: ContentPart[];
  /** The last message is the agent's, but it was not done. */
  isUnfinished: boolean;
  /** What was said since the agent last spoke, results aside; undefined when nothing was. */
  said: string | undefined;
}

/** Looks at the entries of a conversation, in its order. */
export function readConversationEnd(entries: readonly Entry[]): ConversationEnd {
  const open = new Map<string, string>();
  for (const entry of entries) {
    for (const { id } of toolUsesOf(entry)) open.set(id, uuidOf(entry) ?? "");
  }
  for (const entry of entries) for (const { tool_use_id: id } of toolResultsOf(entry)) open.delete(id);
  const messages = entries.filter((entry) => isUser(entry) || isAssistant(entry));
  const last = messages.at(-1);
  const lastSpoken = messages.findLastIndex(isAssistant);
  const said = messages
    .slice(lastSpoken + 1)
    .flatMap((entry) => textsOf(entry.message.content))
    .join("\n\n");
  const isAgentLast = last !== undefined && isAssistant(last) && open.size === 0;
  const isAnswered = isAgentLast && finalReasons.has(String(last.message.stop_reason));
  return {
    interrupted: [...open].map(([id, askedBy]) => interruptedResult(id, askedBy)),
    isAnswered,
    answer: isAnswered ? lastText(messages) : [],
    isUnfinished: isAgentLast && !isAnswered,
    said: said === "" ? undefined : said,
  };
}

// The text of the last message, which may be on several lines.
function lastText(messages: readonly (UserEntry | AssistantEntry)[]): ContentPart[] {
  const id = messages.findLast(isAssistant)?.message.id;
  return messages
    .filter((entry) => isAssistant(entry) && entry.message.id === id)
    .flatMap((entry) => blocksOf(entry))
    .flatMap((block) => (block.type === "text" ? [{ ...block }] : []));
}

const finalReasons: ReadonlySet<string> = new Set(["end_turn", "stop_sequence", "refusal"]);

function interruptedResult(toolUseId: string, askedBy: string): EntryDraft {
  const content = "Interrupted: the run ended before a result of this tool was recorded. It may have run.";
  return {
    type: "user",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: toolUseId, content, is_error: true }],
    },
    toolUseResult: `Error: ${content}`,
    sourceToolAssistantUUID: askedBy,
  };
}
