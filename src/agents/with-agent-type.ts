import { getAgentType } from "./types/index.ts";
import { mainSessionType } from "./host/host-local-agent.ts";
import type { Runner } from "../tasks/ports.ts";

/**
 * Gives a runner what the type of its agent says: how it is told to work, and with which tools. A type that is gone ends
 * the agent before it begins: it may have been there to keep tools away from it.
 */
export function withAgentType(
  runner: Runner,
  { type, configDir }: { type: string; configDir: string },
): Runner {
  if (type === mainSessionType) return runner;
  return async function* (request, signal) {
    const { systemPrompt, tools } = await getAgentType(type, { cwd: request.cwd, configDir });
    const typed = { ...request, ...(systemPrompt && { systemPrompt }), ...(tools && { tools }) };
    return yield* runner(typed, signal);
  };
}
