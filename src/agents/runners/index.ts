/**
 * The runners, which drive agents: each folder implements the `Runner` of tasks/ports.ts in one way. Agents that are
 * programs share code here: their process, their lines, and the search for them on a PATH.
 * Never touches a transcript, a task or the screen; the agent host does that with what a runner yields.
 *
 * I1  A message is yielded before what follows from it happens, so the host can record it first.
 * I2  A runner ends soon after its signal and leaves no process of its own behind.
 */
export { anthropicRunner, type AnthropicRunnerOptions } from "./anthropic/index.ts";
export { acpRunner, type AcpRunnerOptions } from "./acp/index.ts";
export {
  plainMapping,
  streamJsonRunner,
  type LineMapping,
  type MappedCommand,
  type StreamJsonRunnerOptions,
} from "./stream-json/index.ts";
export {
  agentNames,
  findAgent,
  findAgents,
  isAgentName,
  programsOf,
  type AgentStart,
  type FoundAgent,
} from "./find-agents.ts";
