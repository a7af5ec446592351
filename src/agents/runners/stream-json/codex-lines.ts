import { isJsonObject } from "../../../format/json-object.ts";
import type { AssistantEvent, RunnerRequest } from "../../../tasks/ports.ts";
import { readCodexCalls, usageOf, type ModelCall } from "../known/index.ts";
import { TranscriptEvents, type ForeignToolResult, type ForeignToolUse } from "../transcript-events.ts";
import { field, numberAt, textAt } from "../json-fields.ts";
import type { LineEvent, LineReader } from "./conversation.ts";

type Item = Record<string, unknown> & { id: string; type: string };

/** Which session the lines are of: one that goes on, if it has an id already. */
export interface CodexSession extends Pick<RunnerRequest, "env" | "model"> {
  session?: string | undefined;
}

/**
 * The lines of `codex exec --json`: threads, turns, and items that begin, change and complete. Its tokens are read from its
 * own rollout; the sum that ends a turn, which is that of the whole thread, counts where there is none.
 */
export function codexLines({ model = "unknown", env, session }: CodexSession): LineReader {
  let readCalls = session === undefined ? undefined : readCodexCalls({ sessionId: session, env });
  // What an earlier run has used was counted there.
  readCalls?.();
  let rest: ModelCall[] = [];
  let hasRollout = false;
  const transcript = new TranscriptEvents(model, () => {
    const calls = readCalls?.() ?? [];
    hasRollout ||= calls.length > 0;
    return hasRollout ? calls : rest.splice(0);
  });
  // The last thing that it said: what that has used is written when it is said.
  let held: string | undefined;

  return {
    hear(line) {
      switch (line["type"]) {
        case "thread.started": {
          const id = textAt(line, "thread_id");
          if (id !== undefined) readCalls ??= readCodexCalls({ sessionId: id, env });
          return id === undefined ? [] : [{ kind: "session", foreignSessionId: id }];
        }
        case "item.started":
        case "item.updated":
          return isItem(line["item"]) ? [...sayHeld(), ...progress(line["item"])] : [];
        case "item.completed":
          return isItem(line["item"]) ? [...sayHeld(), ...complete(line["item"])] : [];
        case "turn.completed":
          if (session === undefined) rest = callOf(line["usage"]);
          return [{ kind: "end", end: { reason: "done" } }];
        case "turn.failed":
          return [{ kind: "failure", message: textAt(line, "error.message") ?? "the turn failed" }];
        case "error":
          // Also told of a connection that is made again, so it is no ending.
          return [{ kind: "activity", text: textAt(line, "message") ?? "error" }];
        default:
          return [];
      }
    },
    finish: () => [
      ...sayHeld(),
      ...transcript.endTurn("The agent ended without reporting a result"),
      ...transcript.tellRest(),
    ],
  };

  function sayHeld(): AssistantEvent[] {
    const text = held;
    held = undefined;
    return text === undefined ? [] : [transcript.say({ type: "text", text })];
  }

  function progress(item: Item): LineEvent[] {
    if (item.type === "todo_list") return todosOf(item);
    const use = toolUseOf(item);
    return use ? transcript.useTool(item.id, use) : [];
  }

  function complete(item: Item): LineEvent[] {
    const text = textAt(item, "text");
    switch (item.type) {
      case "agent_message":
        held = text;
        return [];
      case "reasoning":
        return text === undefined
          ? []
          : [transcript.say({ type: "thinking", thinking: text, signature: "" })];
      case "error":
        return [{ kind: "activity", text: textAt(item, "message") ?? "error" }];
      default:
        return [...progress(item), ...transcript.giveResult(item.id, toolResultOf(item))];
    }
  }
}

function isItem(item: unknown): item is Item {
  return isJsonObject(item) && typeof item["id"] === "string" && typeof item["type"] === "string";
}

function toolUseOf(item: Item): ForeignToolUse | undefined {
  switch (item.type) {
    case "command_execution":
      return { name: "Bash", input: { command: textAt(item, "command") ?? "" } };
    case "file_change":
      return { name: "Edit", input: { changes: item["changes"] } };
    case "web_search":
      return { name: "WebSearch", input: { query: textAt(item, "query") ?? "" } };
    case "mcp_tool_call": {
      const name = `mcp__${String(item["server"])}__${String(item["tool"])}`;
      const args = item["arguments"];
      return { name, input: isJsonObject(args) ? args : {} };
    }
    case "collab_tool_call":
      return { name: "Agent", input: { description: textAt(item, "prompt") ?? "" } };
    default:
      return undefined;
  }
}

function toolResultOf(item: Item): ForeignToolResult {
  const isError = item["status"] === "failed" || (numberAt(item, "exit_code") ?? 0) !== 0;
  const output = textAt(item, "aggregated_output") ?? textAt(item, "error.message");
  if (output !== undefined) return { content: output, isError };
  const result = field(item, "result");
  return { content: result === undefined || result === null ? "" : JSON.stringify(result), isError };
}

function todosOf(item: Item): LineEvent[] {
  if (!Array.isArray(item["items"])) return [];
  const todos = item["items"].flatMap((entry) => {
    const content = textAt(entry, "text");
    if (content === undefined) return [];
    return [{ content, status: field(entry, "completed") === true ? "completed" : "pending" } as const];
  });
  return [{ kind: "todos", todos }];
}

function callOf(told: unknown): ModelCall[] {
  const input = numberAt(told, "input_tokens");
  if (input === undefined) return [];
  const output = numberAt(told, "output_tokens") ?? 0;
  const cacheRead = numberAt(told, "cached_input_tokens");
  return [{ model: undefined, usage: usageOf({ input, output, cacheRead, total: input + output }) }];
}
