import type { AgentChoice } from "../../agents/choose-agent.ts";
import type { RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";

/** Who drives an agent on a worker: what is there is the worker's matter, so nothing is looked for here. */
export function remoteRunner({ agent, command, script, runner }: AgentChoice): RunnerSpec {
  if (script !== undefined) return { name: "scripted", script };
  if (runner !== undefined) return { name: "module", module: runner };
  if (command !== undefined) return { name: "acp", command };
  if (agent === undefined || agent === "anthropic") return { name: "anthropic" };
  return { name: "acp", agent };
}
