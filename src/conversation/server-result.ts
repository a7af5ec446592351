import { blocksIn, textsIn } from "../format/entry-kinds.ts";
import type { ContentBlock } from "../format/entries/content-block.ts";
import { isJsonObject } from "../format/json-object.ts";
import { imagesIn, type LooseResult } from "./user-items.ts";

/** What a tool that runs on the server gave back. It stands in the model's own message, in a block named after the tool. */
export function* serverResult(block: ContentBlock): Generator<LooseResult> {
  const { tool_use_id: toolUseId, content, is_error: isError } = block as Record<string, unknown>;
  if (typeof toolUseId !== "string") return;
  const text = textOfResult(content);
  const hasFailed = isError === true || typeOf(content).endsWith("_error");
  const result = { text, bytes: Buffer.byteLength(text), images: imagesIn(content), isError: hasFailed };
  yield { kind: "result", toolUseId, result, agent: {} };
}

// One object or a list, of shapes that each tool has for itself.
function textOfResult(content: unknown): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return [...textsIn(content), ...foundPages(content)].join("\n");
  if (!isJsonObject(content)) return "";
  // What only the model may read came encrypted.
  if (typeOf(content).includes("redacted")) return "[redacted]";
  const { text, stdout, stderr, error_code: code, content: inner } = content;
  const said = [text, stdout, stderr, code].filter((each) => typeof each === "string" && each !== "");
  return said.length > 0 ? said.join("\n") : textOfResult(inner);
}

function foundPages(content: unknown[]): string[] {
  return blocksIn(content).flatMap((block) => {
    const { title, url } = block as Record<string, unknown>;
    const page = [title, url].filter((each) => typeof each === "string" && each !== "").join(" ");
    return block.type === "text" || page === "" ? [] : page;
  });
}

function typeOf(content: unknown): string {
  const { type } = isJsonObject(content) ? content : {};
  return typeof type === "string" ? type : "";
}
