import { isJsonObject } from "../../../format/json-object.ts";
import type { AgentTodo, AgentUsage, AssistantEvent, ContentPart, UserEvent } from "../../../tasks/ports.ts";
import { field, numberAt, textAt } from "../json-fields.ts";
import type { LineEvent } from "./conversation.ts";

type Line = Record<string, unknown>;

/**
 * The lines of `claude -p --output-format stream-json`, whose messages have the transcript's shape already. Messages of
 * its sub-agents are theirs: they have transcripts of their own, and only what they do is told here.
 */
export function readClaudeLine(line: Line): LineEvent[] {
  const isOfSubagent = typeof line["parent_tool_use_id"] === "string";
  switch (line["type"]) {
    case "system":
      return systemLine(line);
    case "assistant":
      return isOfSubagent ? subagentActivity(line) : assistantLine(line);
    case "user":
      return isOfSubagent || line["isReplay"] === true ? [] : userLine(line);
    case "stream_event": {
      if (textAt(line, "event.type") === "message_start")
        return [{ kind: "request", ...(isOfSubagent && { isOfSubagent }) }];
      const text = textAt(line, "event.delta.text");
      return isOfSubagent || text === undefined ? [] : [{ kind: "delta", text }];
    }
    case "result":
      return resultLine(line);
    default:
      return [];
  }
}

function systemLine(line: Line): LineEvent[] {
  const session = textAt(line, "session_id");
  switch (line["subtype"]) {
    case "init":
      return session === undefined ? [] : [{ kind: "session", foreignSessionId: session }];
    case "api_retry":
      return [{ kind: "activity", text: "The API did not answer; Claude repeats the request" }];
    case "compact_boundary":
      return [{ kind: "activity", text: "Claude has compacted its conversation" }];
    default:
      return [];
  }
}

function assistantLine({ message, requestId, request_id }: Line): LineEvent[] {
  if (!isMessage(message)) return [];
  const id = requestId ?? request_id;
  const event: AssistantEvent = {
    kind: "assistant",
    message: { stop_reason: null, ...message } as AssistantEvent["message"],
    ...(typeof id === "string" && { requestId: id }),
  };
  return [event, ...todosIn(message.content)];
}

function userLine({ message, tool_use_result: toolUseResult, isSynthetic }: Line): LineEvent[] {
  if (!isJsonObject(message) || message["role"] !== "user") return [];
  const { content } = message;
  if (typeof content !== "string" && !Array.isArray(content)) return [];
  const event: UserEvent = {
    kind: "user",
    message: { role: "user", content: content as string | ContentPart[] },
    ...(toolUseResult !== undefined && { toolUseResult }),
    ...(isSynthetic === true && { isMeta: true }),
  };
  return [event];
}

function subagentActivity({ message }: Line): LineEvent[] {
  if (!isMessage(message)) return [];
  return message.content.flatMap((part) =>
    part.type === "tool_use" ? [{ kind: "activity", text: `Sub-agent: ${String(part["name"])}` }] : [],
  );
}

function resultLine(line: Line): LineEvent[] {
  const costUsd = numberAt(line, "total_cost_usd");
  const usage = totalsOf(line);
  const told: LineEvent[] = usage
    ? [{ kind: "usage", usage, ...(costUsd !== undefined && { costUsd }) }]
    : [];
  if (line["subtype"] === "error_max_turns") return [...told, { kind: "end", end: { reason: "max_turns" } }];
  const isError = line["is_error"] === true || (line["subtype"] ?? "success") !== "success";
  if (isError) return [...told, { kind: "failure", message: failureOf(line) }];
  const stopReason = line["stop_reason"];
  const reason = stopReason === "max_tokens" || stopReason === "refusal" ? stopReason : "done";
  return [...told, { kind: "end", end: { reason } }];
}

function failureOf(line: Line): string {
  const errors = Array.isArray(line["errors"])
    ? line["errors"].filter((text) => typeof text === "string")
    : [];
  return textAt(line, "result") ?? (errors.join("; ") || textAt(line, "subtype")) ?? "error";
}

// The totals by model are of the whole process; those beside them only of the last turn.
function totalsOf(line: Line): AgentUsage | undefined {
  const models = Object.values(isJsonObject(line["modelUsage"]) ? line["modelUsage"] : {}).filter(
    isJsonObject,
  );
  if (models.length === 0) return undefined;
  const sum = (key: string): number =>
    models.reduce((total, model) => total + (numberAt(model, key) ?? 0), 0);
  return {
    input_tokens: sum("inputTokens"),
    output_tokens: sum("outputTokens"),
    cache_creation_input_tokens: sum("cacheCreationInputTokens"),
    cache_read_input_tokens: sum("cacheReadInputTokens"),
  };
}

function isMessage(message: unknown): message is { id: string; content: ContentPart[] } {
  return isJsonObject(message) && typeof message["id"] === "string" && Array.isArray(message["content"]);
}

const todoStatuses = ["pending", "in_progress", "completed"] as const;

function todosIn(content: readonly ContentPart[]): LineEvent[] {
  return content.flatMap((part): LineEvent[] => {
    if (part.type !== "tool_use" || part["name"] !== "TodoWrite") return [];
    const todos = field(part, "input.todos");
    return Array.isArray(todos) ? [{ kind: "todos", todos: todos.flatMap(todoOf) }] : [];
  });
}

function todoOf(todo: unknown): AgentTodo[] {
  const content = textAt(todo, "content");
  const status = todoStatuses.find((known) => known === field(todo, "status"));
  if (content === undefined || status === undefined) return [];
  const activeForm = textAt(todo, "activeForm");
  return [{ content, status, ...(activeForm !== undefined && { activeForm }) }];
}
