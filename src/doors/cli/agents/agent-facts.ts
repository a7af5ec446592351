import { readProgress, type AgentProgress } from "../../../tasks/kinds/agent/agent-progress.ts";
import { answerText, readResult } from "../../../tasks/kinds/agent/agent-result.ts";
import type { AgentSettings } from "../../../tasks/kinds/agent/agent-settings.ts";
import type { TaskFiles } from "../../../tasks/record/task-files.ts";
import { questionLines } from "../../../conversation/question-lines.ts";
import { formatTokens, plural } from "../../../lib/quantities.ts";

/** What `inspect` says of an agent beside what it says of every task. */
export function agentFacts(agent: AgentSettings, files: TaskFiles): Record<string, string | undefined> {
  const progress = readProgress(files);
  const result = readResult(files);
  const { needsInput, activities = [], todos = [] } = progress ?? {};
  const id = files.id;
  return {
    agent: [agent.type, agent.runner?.agent ?? agent.runner?.name, agent.model].filter(Boolean).join(", "),
    prompt: agent.prompt,
    transcript: agent.transcript.path,
    continues: agent.continues,
    "needs input":
      needsInput &&
      [
        needsInput.title,
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
    answer: result && (answerText(result) || undefined),
  };
}

const todoMarks = { pending: "☐", in_progress: "◐", completed: "☑" } as const;

export function progressText({ turns, toolUses, tokens, costUsd }: AgentProgress): string {
  const cost = !costUsd ? "" : `, $${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`;
  return `${plural(turns, "turn")}, ${plural(toolUses, "tool use")}, ${formatTokens(tokens)} tokens${cost}`;
}
