import type { Entry } from "../../format/entries/entry.ts";
import type { ConversationItem } from "../conversation-item.ts";
import { readItems } from "../read-items.ts";
import type { ExportAgent, ExportSource } from "./export-source.ts";

/** Where the conversation of a sub-agent begins and ends among the items of an export. */
export type AgentMark = { kind: "agent-begin"; title: string } | { kind: "agent-end" };

/**
 * The items of a conversation, each sub-agent's behind the call that started it; those whose call is not there come at the end.
 * A sub-agent may have some of its own. Each is shown once.
 */
export async function* withAgents({
  entries,
  agents,
  retracted,
}: ExportSource): AsyncGenerator<ConversationItem | AgentMark> {
  const left = new Map(agents.map((agent) => [agent.agentId, agent]));
  yield* inConversation(entries, left, retracted);
  for (const { agentId } of agents) yield* sectionOf(agentId, left);
}

async function* inConversation(
  entries: AsyncIterable<Entry>,
  left: Map<string, ExportAgent>,
  retracted?: ReadonlySet<string>,
): AsyncGenerator<ConversationItem | AgentMark> {
  for await (const item of readItems(entries, { retracted })) {
    yield item;
    if (item.kind === "tool" && item.agent?.id !== undefined) yield* sectionOf(item.agent.id, left);
  }
}

async function* sectionOf(
  agentId: string,
  left: Map<string, ExportAgent>,
): AsyncGenerator<ConversationItem | AgentMark> {
  const agent = left.get(agentId);
  if (!agent) return;
  left.delete(agentId);
  yield { kind: "agent-begin", title: titleOf(agent) };
  yield* inConversation(agent.entries(), left);
  yield { kind: "agent-end" };
}

function titleOf({ agentId, agentType = "Agent", description }: ExportAgent): string {
  return `${description === undefined ? agentType : `${agentType}: ${description}`} (agent ${agentId})`;
}
