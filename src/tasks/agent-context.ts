import { AsyncLocalStorage } from "node:async_hooks";

/** Which agent the code that asks runs for. */
export interface AgentContext {
  agentId: string;
  agentType: string;
  name?: string;
}

const storage = new AsyncLocalStorage<AgentContext>();

/** Runs something, and everything that it starts and awaits, for an agent. */
export function runWithAgentContext<Result>(context: AgentContext, run: () => Result): Result {
  return storage.run(context, run);
}

/** Undefined outside of any agent, which is the foreground conversation. */
export function currentAgentContext(): AgentContext | undefined {
  return storage.getStore();
}
