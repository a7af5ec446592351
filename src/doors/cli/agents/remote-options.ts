import type { RunnerSpec } from "../../../tasks/kinds/agent/agent-settings.ts";
import type { AgentChoice } from "../../../agents/choose-agent.ts";
import { usageError } from "../errors.ts";

/** What `agent` takes together with `--remote` only. */
export interface RemoteOptions {
  label?: string;
  clone?: string;
  links?: boolean;
  from?: string;
}

export function refuseRemoteOptions(options: RemoteOptions): void {
  const given = (["label", "clone", "links"] as const).find((name) => options[name] !== undefined);
  if (given === undefined) return;
  throw usageError("agent", `Cannot use --${given} without --remote: it is for runs on the fleet`);
}

/** Who drives an agent on a worker: what is there is the worker's matter, so nothing is looked for here. */
export function remoteRunner({ agent, command, script, runner }: AgentChoice): RunnerSpec {
  if (script !== undefined) return { name: "scripted", script };
  if (runner !== undefined) return { name: "module", module: runner };
  if (command !== undefined) return { name: "acp", command };
  if (agent === undefined || agent === "anthropic") return { name: "anthropic" };
  return { name: "acp", agent };
}
