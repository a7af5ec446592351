import type { KeptOutput } from "../store/companions/large-outputs.ts";
import type { PermissionPolicy } from "./kinds/agent/agent-settings.ts";

export type { KeptOutput };

/**
 * An agent, whatever drives it: an API loop, a foreign client, a script. It neither touches disk nor screen of Holdfast:
 * it yields what happened, and the agent host records it. The host asks for the next event only when the last message
 * is in the transcript; so a tool that runs after its `tool_use` was yielded runs with that recorded, and a result that
 * was yielded is never asked for again. Must end soon after the signal. Throws when the agent cannot go on.
 */
export type Runner = (request: RunnerRequest, signal: AbortSignal) => AsyncGenerator<RunnerEvent, RunnerEnd>;

export interface RunnerRequest {
  /**
   * The conversation that the agent is given, in the shape of the Messages API. The last message is a user's: the
   * prompt, or the results that an interrupted run was waiting for. Every tool use has its result. The host keeps these
   * messages for the next prompt: a runner that needs them otherwise changes a copy.
   */
  messages: readonly RunnerMessage[];
  /** The new prompt as text, for agents that keep their conversation themselves. */
  prompt: string;
  /** The agent's own session, from a `session` event of an earlier run. */
  foreignSessionId?: string;
  cwd: string;
  /** The environment of whatever the agent starts. */
  env: Readonly<Record<string, string | undefined>>;
  model?: string;
  systemPrompt?: string;
  /** Names of the tools it may use; all that it has when absent. */
  tools?: readonly string[];
  /** Who answers when it asks. An agent that cannot be made to ask runs only if everything is allowed. */
  permission?: PermissionPolicy;
  /** Asks whether a tool may run; waits until somebody answers, or the policy does. */
  askPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
  /** The reason why a rule forbids a tool that needs no permission, such as one that only reads. */
  whyDenied?: ((request: PermissionRequest) => Promise<string | undefined>) | undefined;
  /**
   * Messages that were sent to the agent meanwhile. Called between turns. Each message is returned once and is in the
   * transcript by then; if a runner yields it as a message as well, it is not recorded a second time.
   */
  takeMessages(): Promise<string[]>;
  /**
   * Reserves a request to a model in the budget before it is sent; a repetition is a request, too. Returns how many
   * tokens the answer may have. Throws when nothing is left; then the run ends. A runner that cannot ask yields
   * `request` events.
   */
  takeRequest?: (request: ModelRequest) => Promise<{ answerTokensMax: number }>;
  /**
   * Shows the current end of a running tool's output to whoever watches. It is never recorded. Absent if nobody
   * watches.
   */
  tellOutput?: ((output: ToolOutput) => void) | undefined;
  /** Makes a file for what a tool prints that is too long for its result. Absent where the agent has no session on this machine. */
  keepOutput?: ((tool: string) => KeptOutput) | undefined;
  /** What its tools may do with tasks. */
  tasks: AgentTasks;
}

export interface ToolOutput {
  toolUseId: string;
  text: string;
}

/** What is about to be asked of a model. */
export interface ModelRequest {
  model: string;
  /** The same was asked before, and no answer came: no turn of its own. */
  isRetry: boolean;
  /** Reckons how many tokens are sent; asked only when tokens or cost have a limit. */
  inputTokens: () => number;
  answerTokensMax: number;
}

export interface RunnerMessage {
  role: "user" | "assistant";
  content: string | readonly ContentPart[];
}

/** A content block of the Messages API: text, thinking, tool_use, tool_result, image. */
export type ContentPart = { type: string } & Record<string, unknown>;

export type RunnerEvent =
  /** Recorded before the runner goes on. */
  | AssistantEvent
  | UserEvent
  /** A piece of an answer under way, for who watches; never recorded. Void when an `activity` follows: it is asked again. */
  | { kind: "delta"; text: string }
  | { kind: "todos"; todos: AgentTodo[] }
  /** The id under which the agent itself keeps this conversation. */
  | { kind: "session"; foreignSessionId: string }
  /** A foreign agent has asked its model: what it says from here on is another turn, whatever id it has. */
  | { kind: "request"; isOfSubagent?: true }
  /** Tokens of an answer that broke off: paid for, and no message. */
  | { kind: "spent"; model: string; usage: AgentUsage }
  /** Of agents that tell their totals apart from messages: tokens, cost or both. Replaces what they told before. */
  | { kind: "usage"; usage?: AgentUsage; costUsd?: number }
  /** Something worth a line in the progress that is no message: a retry, a wait. */
  | { kind: "activity"; text: string };

/** One line of the transcript: blocks of a message that share its id may come as several. */
export interface AssistantEvent {
  kind: "assistant";
  message: {
    id: string;
    model: string;
    role: "assistant";
    type: "message";
    content: ContentPart[];
    stop_reason: string | null;
    stop_sequence?: string | null;
    usage: AgentUsage & Record<string, unknown>;
  };
  requestId?: string;
}

export interface UserEvent {
  kind: "user";
  message: { role: "user"; content: string | ContentPart[] };
  /** The structured result of a tool, as the client keeps it beside the text. */
  toolUseResult?: unknown;
  /** Not said by a person. */
  isMeta?: true;
}

export interface RunnerEnd {
  /** `done`: the agent has given its answer. The others are limits and refusals of its own. */
  reason: "done" | "max_turns" | "max_tokens" | "refusal";
}

/** As the Messages API counts. */
export interface AgentUsage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
}

export interface AgentTodo {
  content: string;
  status: "pending" | "in_progress" | "completed";
  activeForm?: string;
}

export interface PermissionRequest {
  toolUseId: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** What it would do, in words, for who answers. Made of what the tool is given. */
  title: string;
  /** What the model says about it, which may be anything. It is shown beside the input, as what it is. */
  said?: string;
  /** Where the file that the tool is given really is, through all links; the tool opens no other one. */
  realPath?: string;
}

export type PermissionAnswer =
  | { behavior: "allow"; always?: boolean }
  | { behavior: "deny"; message: string; interrupt?: boolean };

/** Background work of an agent. Everything here is a durable task that outlives the agent. */
export interface AgentTasks {
  startShell(request: {
    command: string;
    cwd: string;
    /** Added to the environment of tasks. */
    env?: Record<string, string>;
    description?: string;
    timeoutMs?: number;
    toolUseId: string;
  }): Promise<{ taskId: string; outputFile: string }>;
  /** A sub-agent. Its answer comes with `output`, or with the notification. */
  startAgent(request: {
    prompt: string;
    description: string;
    type?: string;
    model?: string;
    toolUseId: string;
  }): Promise<{ taskId: string; outputFile: string }>;
  /** As TaskOutput gives it, of any kind of task. */
  output(
    taskId: string,
    options: { block: boolean; timeoutMs?: number; signal: AbortSignal },
  ): Promise<object>;
  stop(taskId: string): Promise<object>;
}
