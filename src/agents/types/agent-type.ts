/** A type of agent, by name: its system prompt, and the tools that it may use. */
export interface AgentType {
  name: string;
  /** When to use it, for whoever chooses. */
  description: string;
  /** Added to what the agent is told anyway; absent when there is nothing to add. */
  systemPrompt?: string;
  /** Names of the tools it may use; all when absent. */
  tools?: readonly string[];
  /** Its model; the launcher's choice when absent. */
  model?: string;
  source: "project" | "user" | "built-in";
  /** The file it was read from; absent for a built-in one. */
  path?: string;
}

/** A file in a folder of agent types that is none. */
export interface AgentTypeProblem {
  path: string;
  reason: string;
}
