import type { Runner } from "../../../tasks/ports.ts";
import type { AgentCommand } from "../agent-process.ts";
import type { AcpHabits, Fence } from "../known/index.ts";

export interface AcpRunnerOptions extends AgentCommand {
  /** How long the agent may take to open its session. */
  startMs?: number;
  /** How long it may take to end after it was told to. */
  graceMs?: number;
  /** What makes it ask before it acts; nothing is done about that when it is absent. */
  fence?: Fence | "none";
  /** What it does in a way of its own. */
  habits?: AcpHabits;
}

/**
 * Any agent that speaks the Agent Client Protocol on its standard input and output. It keeps its conversation itself: an
 * earlier session is resumed or loaded, and told again in words to an agent that can do neither.
 * Throws `agent_not_started`, `agent_login`, `agent_unfenced`, `agent_protocol` or `agent_failed` when it cannot go on.
 */
export function acpRunner(options: AcpRunnerOptions): Runner {
  return async function* (request, signal) {
    // With the protocol's schemas, which take longer to load than all else here.
    const { runAcp } = await import("./run-acp.ts");
    return yield* runAcp(options, request, signal);
  };
}
