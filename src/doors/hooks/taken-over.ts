import type { LaunchLine } from "../../recovery/manifest-line.ts";
import type { HookInput } from "./hook-input.ts";
import { agentTranscript, clientProcess, type HookWorld } from "./hook-world.ts";

/** The line of a launch with which this session's client goes on: an agent that was resumed, or work that was moved to it. */
export function takenOver(launch: LaunchLine, input: HookInput, world: HookWorld): LaunchLine {
  const isAgent = launch.kind === "local_agent" && launch.transcript !== undefined;
  return {
    ...launch,
    timestamp: world.clock.now().toISOString(),
    session_id: input.sessionId,
    client: clientProcess(world),
    ...(isAgent && { transcript: agentTranscript(input, launch.agent_id) }),
  };
}
