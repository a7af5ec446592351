/**
 * Owns agents: how one is chosen, launched, hosted, asked, answered and continued, and the runners that drive it.
 * Never knows a terminal, a page or a protocol of a door: a door gives it ports.
 *
 * I1  A message of an agent is in its transcript before it counts; a tool use that is recorded is never run again.
 * I2  One host drives every agent, wherever it runs: a task, a chat in front, an embedder's process, a fleet worker.
 */
export { openAgents, type Agents } from "./open-agents.ts";
export type { AgentContext } from "./agent-context.ts";
export type { AgentRequest } from "./launch/agent-request.ts";
export type { RunnerChoice } from "./launch/check-runner.ts";
export type { RunnerModule } from "./runners/module/index.ts";
export type { ContinueRequest } from "./launch/continue-agent.ts";
export type { InProcessRequest } from "./host/run-in-process.ts";
export type { AgentType } from "./types/agent-type.ts";
export type { AgentTypes } from "./types/find-agent-type.ts";
export type { ClientAgent } from "./client-agent.ts";
export type { AgentTask } from "./host/host-local-agent.ts";
export type { News } from "./threads/chat-thread.ts";
export type { OpenThreads, OpenThreadsPorts } from "./threads/open-threads.ts";
export type { ThreadEvent, ThreadsEvent } from "./threads/thread-event.ts";
export type * from "./main-session/main-session.ts";
