/** The part of the record that only agents have. It holds no key and no environment. */
export interface AgentSettings {
  /** Stays the same when the agent is continued as another task. */
  agentId: string;
  transcript: AgentTranscript;
  /** general-purpose, Explore, Plan, main-session, or one of the user's own. */
  type: string;
  /** Who drives it; absent when an embedder brings its own, which nobody else can go on with. */
  runner?: RunnerSpec;
  model?: string;
  /** The beginning of the prompt; the whole is the first entry of the transcript. */
  prompt: string;
  permission: PermissionPolicy;
  limits: AgentLimits;
  /** The file in which it and the agents that it starts count together what they use of the limits. */
  budget?: string;
  /** 1 for an agent that no agent started. */
  depth: number;
  parentTaskId?: string;
  /** The task that this one goes on with. */
  continues?: string;
  /** It began inside its launcher, and runs there as long as `.run` names that process. */
  isInProcess?: true;
  /** Of a main session: what it says belongs to the conversation of its session. */
  isOwed?: true;
  /** Of a main session: the agent type that its conversation is held as. */
  mainType?: string;
}

/** Where an agent's entries go. With an `agentId` it is a sub-agent of the session, else a session of its own. */
export interface AgentTranscript {
  path: string;
  sessionId: string;
  agentId?: string;
}

/** The runner, by name, with its settings. */
export interface RunnerSpec {
  name: "anthropic" | "acp" | "stream-json" | "scripted" | "module";
  /** A known agent: claude, codex, gemini, opencode, copilot, qwen, pi. */
  agent?: string;
  /** Any other agent, as a shell would start it. */
  command?: string;
  /** The file that the scripted runner plays. */
  script?: string;
  /** The file or package that holds a runner of the user's own, and what it is made with. Never a key. */
  module?: string;
  options?: Readonly<Record<string, unknown>>;
  baseUrl?: string;
}

/**
 * Who answers when the agent asks whether a tool may run: everything or nothing is allowed, somebody is asked, or the
 * client's own settings decide and somebody is asked for the rest.
 */
export type PermissionPolicy = "allow" | "deny" | "ask" | "rules";

/** Limits that end an agent. Time is a limit of every task. */
export interface AgentLimits {
  maxTurns?: number;
  /** Tokens in and out, cached ones included. */
  maxTokens?: number;
  maxCostUsd?: number;
}
