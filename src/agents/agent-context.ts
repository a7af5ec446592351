import asyncHooks, { type AsyncLocalStorage } from "node:async_hooks";

/** The agent for which the calling code runs. */
export interface AgentContext {
  agentId: string;
  agentType: string;
  name?: string;
}

// Made when there is a first agent: every process that opens the runtime would load it.
let storage: AsyncLocalStorage<AgentContext> | undefined;

/** Runs something, and everything that it starts and awaits, for an agent. */
export function runWithAgentContext<Result>(context: AgentContext, run: () => Result): Result {
  storage ??= new asyncHooks.AsyncLocalStorage();
  return storage.run(context, run);
}

/** Undefined outside of any agent, which is the foreground conversation. */
export function currentAgentContext(): AgentContext | undefined {
  return storage?.getStore();
}
