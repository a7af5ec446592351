import { questionLines } from "../../../conversation/question-lines.ts";
import { textsIn } from "../../../format/entry-kinds.ts";
import type { AgentProgress, AgentSettings, TaskDetails } from "../../../index.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import { formatTokens, plural } from "../../../lib/quantities.ts";

/** What `inspect` says of an agent beside what it says of every task. */
export function agentFacts(
  id: string,
  agent: AgentSettings,
  { progress, result }: TaskDetails,
): Record<string, string | undefined> {
  const { needsInput, activities = [], todos = [] } = progress ?? {};
  return {
    agent: [agent.type, agent.runner?.agent ?? agent.runner?.name, agent.model].filter(Boolean).join(", "),
    prompt: agent.prompt,
    transcript: agent.transcript.path,
    continues: agent.continues,
    "needs input":
      needsInput &&
      [
        terminalLine(needsInput.title),
        ...questionLines(needsInput).map(({ text }) => `  ${text}`),
        `Answer: holdfast approve ${id} --request ${needsInput.requestId}, or holdfast deny`,
      ].join("\n"),
    progress: progress && progressText(progress),
    doing: activities.length > 0 ? activities.map(({ text }) => text).join("\n") : undefined,
    "to-dos":
      todos.length > 0
        ? todos.map(({ status, content }) => `${todoMarks[status]} ${content}`).join("\n")
        : undefined,
    failure: result?.outcome.status === "failed" ? result.outcome.error : undefined,
    answer: textsIn(result?.content).join("\n") || undefined,
  };
}

const todoMarks = { pending: "☐", in_progress: "◐", completed: "☑" } as const;

export function progressText({ turns, toolUses, tokens, costUsd }: AgentProgress): string {
  const cost = !costUsd ? "" : `, $${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`;
  return `${plural(turns, "turn")}, ${plural(toolUses, "tool use")}, ${formatTokens(tokens)} tokens${cost}`;
}
