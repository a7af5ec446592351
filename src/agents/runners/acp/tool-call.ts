import type { ContentBlock, ToolCallContent, ToolCallUpdate, ToolKind } from "@agentclientprotocol/sdk";
import type { AcpHabits } from "../known/index.ts";
import { textAt } from "../json-fields.ts";
import type { ContentPart } from "../../../tasks/ports.ts";

/** What is known of a tool call so far: the agent tells it in pieces. */
export type ToolCallFacts = Omit<ToolCallUpdate, "_meta"> & { _meta?: Record<string, unknown> | null };

/** Newer facts over older ones; what an update leaves out stays. */
export function mergeToolCall(known: ToolCallFacts | undefined, news: ToolCallFacts): ToolCallFacts {
  const given = Object.entries(news).filter(([, value]) => value !== undefined && value !== null);
  return { ...known, ...(Object.fromEntries(given) as unknown as ToolCallFacts) };
}

// The names that permission rules and agent types use.
const toolOfKind: Partial<Record<ToolKind, string>> = {
  read: "Read",
  edit: "Edit",
  delete: "Delete",
  move: "Move",
  search: "Grep",
  execute: "Bash",
  fetch: "WebFetch",
  think: "Think",
};

// Names that rules, agent types and clients of ours know, and those of tools from servers, which say whose they are.
const isOurs = (name: string): boolean =>
  /^(?:mcp__.+|Bash|Read|Edit|Write|MultiEdit|NotebookEdit|Glob|Grep|LS|WebFetch|WebSearch|Task|Agent|TodoWrite)$/.test(
    name,
  );

/** The tool by the name that rules know: the agent's own where that is one, else what does the same kind of thing here. */
export function toolName(
  { name, kind, title, _meta }: ToolCallFacts,
  { tools = {} }: AcpHabits = {},
): string {
  const told = [name ?? undefined, metaName(_meta)].find((each) => each !== undefined && each !== "");
  const known = told === undefined ? undefined : (tools[told] ?? (isOurs(told) ? told : undefined));
  return known ?? toolOfKind[kind ?? "other"] ?? told ?? (/^\w+$/.test(title ?? "") ? title! : "Tool");
}

function metaName(meta: unknown): string | undefined {
  return textAt(meta, "toolName") ?? textAt(meta, "claudeCode.toolName");
}

/** Whether the call is under way; before that, agents change what they say of it, its input above all. */
export function isUnderWay({ status }: ToolCallFacts): boolean {
  return status !== undefined && status !== null && status !== "pending";
}

/** What the call gave back. `outputOf` knows the terminals that ran here. */
export function toolResult(
  { content, rawOutput }: { content: readonly ToolCallContent[]; rawOutput?: unknown },
  outputOf: (terminalId: string) => string | undefined,
): string | ContentPart[] {
  const parts = content.map((item) => resultPart(item, outputOf));
  if (parts.every(({ type }) => type === "text")) {
    const text = parts.map((part) => String(part["text"])).join("\n");
    return text !== "" ? text : rawText(rawOutput);
  }
  return parts;
}

function resultPart(
  item: ToolCallContent,
  outputOf: (terminalId: string) => string | undefined,
): ContentPart {
  if (item.type === "content") return contentPart(item.content);
  if (item.type === "terminal") return { type: "text", text: outputOf(item.terminalId) ?? "" };
  const verb = item.oldText === null || item.oldText === undefined ? "Wrote" : "Changed";
  return { type: "text", text: `${verb} ${item.path}` };
}

function rawText(rawOutput: unknown): string {
  if (rawOutput === undefined || rawOutput === null) return "";
  return typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput);
}

/** A block of the protocol as a block of the Messages API; what that has no form for becomes words. */
export function contentPart(block: ContentBlock): ContentPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return {
        type: "image",
        source: { type: "base64", media_type: block.mimeType, data: block.data },
      };
    case "resource_link":
      return { type: "text", text: `${block.title ?? block.name}: ${block.uri}` };
    case "resource":
      return { type: "text", text: "text" in block.resource ? block.resource.text : block.resource.uri };
    default:
      return { type: "text", text: `[${block.type}]` };
  }
}
