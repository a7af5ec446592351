import { agentKillRound, type AgentKillRound } from "./agents-kill-round.ts";
import { inTaskFolder } from "./in-task-folder.ts";

export interface AgentKillLoopResult extends Omit<AgentKillRound, "seed" | "problems"> {
  rounds: number;
  failed: AgentKillRound[];
}

export interface AgentKillLoopOptions {
  rounds: number;
  /** The nth round has this seed plus n, so that one round can be run again alone. */
  seed: number;
  onRound?: (round: AgentKillRound) => void;
}

/** Kills hosts of agents again and again, each agent in a folder of its own, and adds up what was found. */
export async function runAgentKillLoop({
  rounds,
  seed,
  onRound,
}: AgentKillLoopOptions): Promise<AgentKillLoopResult> {
  const result: AgentKillLoopResult = {
    rounds,
    kills: 0,
    acknowledged: 0,
    toolsRun: 0,
    interrupted: 0,
    failed: [],
  };
  for (let n = 0; n < rounds; n++) {
    const round = await inTaskFolder((dir) => agentKillRound({ dir, seed: seed + n }));
    for (const key of ["kills", "acknowledged", "toolsRun", "interrupted"] as const)
      result[key] += round[key];
    if (round.problems.length > 0) result.failed.push(round);
    onRound?.(round);
  }
  return result;
}

/** One line for people: what was done and what came of it. */
export function describeAgentKillLoop(result: AgentKillLoopResult): string {
  const { rounds, kills, acknowledged, toolsRun, interrupted, failed } = result;
  return (
    `${rounds} agents whose hosts were killed ${kills} times: ${acknowledged} messages recorded and none missing, ` +
    `${toolsRun} tools run and none twice, ${interrupted} broken off, one notice each; ${failed.length} rounds failed`
  );
}
