import type { RunnerRequest } from "../../tasks/ports.ts";
import { runnerError } from "./errors.ts";
import type { Fence } from "./known/index.ts";

/**
 * The fence that an agent needs; none where everything is allowed, or where nothing is known of it. Throws
 * `agent_unfenced` for one that asks nobody.
 */
export function requireFence(
  { name, fence }: { name: string; fence?: Fence | "none" | undefined },
  permission: RunnerRequest["permission"] | undefined,
): Fence | undefined {
  if (permission === "allow") return undefined;
  if (fence === "none") throw unfenced(name, "it asks nobody before it acts");
  return fence;
}

export function unfenced(name: string, why: string): Error {
  const message = `Cannot run agent "${name}" under permission rules: ${why}; start it with --permission allow, or use another`;
  return runnerError("agent_unfenced", message);
}
