import { searchedBlockLengthMax } from "./limits.ts";
import type { DocumentRole } from "./document-role.ts";
import { jsonDepthMax } from "../lib/limits.ts";
import { isJsonObject } from "../format/json-object.ts";

/** What can be found of one line: its texts, and what it is filtered by. */
export interface EntryDocument {
  /** Whole and with their secrets; `searchedText` makes of them what is searched. */
  blocks: string[];
  type: string;
  role: DocumentRole;
  /** Milliseconds since 1970. */
  at: number | undefined;
  uuid: string | undefined;
  /** Tools that it calls. */
  tools: { id: string; name: string }[];
  /** Tool calls that it answers. */
  answers: string[];
}

/**
 * What of a parsed line is worth finding: prompts, answers, thoughts, what tools were given and gave back, queued
 * prompts, titles, notes of the client. Undefined for what has none, and for progress,
 * which says again what others say.
 */
export function documentOf(line: unknown): EntryDocument | undefined {
  if (!isJsonObject(line) || typeof line["type"] !== "string") return undefined;
  const { type, timestamp, uuid } = line;
  const found: EntryDocument = {
    blocks: [],
    type,
    role: "system",
    at: typeof timestamp === "string" ? Date.parse(timestamp) || undefined : undefined,
    uuid: typeof uuid === "string" ? uuid : undefined,
    tools: [],
    answers: [],
  };
  const texts = found.blocks;
  if (type === "user" || type === "assistant") {
    found.role = type;
    if (isJsonObject(line["message"])) addContent(line["message"]["content"], texts, found);
  } else if (type !== "progress") addNote(line, texts);
  return texts.some((text) => text !== "") ? found : undefined;
}

function addContent(content: unknown, texts: string[], found: EntryDocument): void {
  if (typeof content === "string") texts.push(content);
  if (!Array.isArray(content)) return;
  for (const block of content as unknown[]) if (isJsonObject(block)) addBlock(block, texts, found);
}

function addBlock(block: Record<string, unknown>, texts: string[], found: EntryDocument): void {
  const { type, text, thinking, id, name, tool_use_id: answered } = block;
  if (type === "text" && typeof text === "string") texts.push(text);
  else if (type === "thinking" && typeof thinking === "string") texts.push(thinking);
  else if (type === "tool_use") {
    if (typeof name === "string") {
      texts.push(name);
      if (typeof id === "string") found.tools.push({ id, name });
    }
    const input: string[] = [];
    addValues(block["input"], input);
    texts.push(input.join("\n"));
  } else if (type === "tool_result") {
    if (typeof answered === "string") found.answers.push(answered);
    found.role = "tool";
    const result: string[] = [];
    addResult(block["content"], result);
    texts.push(result.join("\n"));
  }
}

function addResult(content: unknown, texts: string[]): void {
  if (typeof content === "string") texts.push(content);
  if (!Array.isArray(content)) return;
  for (const block of content as unknown[])
    if (isJsonObject(block) && typeof block["text"] === "string") texts.push(block["text"]);
}

// The keys of an input are the tool's, not what somebody said.
function addValues(value: unknown, texts: string[], depth = 0): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null && depth < jsonDepthMax)
    for (const inner of Object.values(value)) addValues(inner, texts, depth + 1);
}

/** Lines that are no messages: titles, summaries, queued prompts, what the client noted. */
const noteKeys = ["content", "summary", "customTitle", "aiTitle", "agentName", "tag", "prUrl"] as const;

function addNote(line: Record<string, unknown>, texts: string[]): void {
  for (const key of noteKeys) if (typeof line[key] === "string") texts.push(line[key]);
  const { attachment } = line;
  if (!isJsonObject(attachment)) return;
  const { prompt, content, filename } = attachment;
  for (const value of [filename, content]) if (typeof value === "string") texts.push(value);
  const prompts: string[] = [];
  addResult(prompt, prompts);
  if (prompts.length > 0) texts.push(prompts.join("\n"));
}

/** Down to this depth of objects and arrays, only strings under these names are searched. Deeper, a tool's input may be. */
export const textDepth = 4;
export const textNames: ReadonlySet<string> = new Set([
  ...noteKeys,
  "text",
  "thinking",
  "name",
  "input",
  "prompt",
  "filename",
]);

/** The text that is searched: of a block by the megabyte, its beginning and its end, which say what it was. */
export function searchedText(blocks: readonly string[]): string {
  return blocks.map(bothEnds).join("\n");
}

function bothEnds(text: string): string {
  if (text.length <= searchedBlockLengthMax) return text;
  const half = searchedBlockLengthMax / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}
