import { exportedResultLengthMax } from "./limits.ts";
import { jsonText } from "../../lib/json-text.ts";
import { beginningOf } from "../../lib/whole-characters.ts";
import type { ToolItem } from "../conversation-item.ts";
import { formatBytes } from "../../lib/quantities.ts";

/** What the page formats say the same way. Not made safe yet: each format escapes as it must. */

export function toolState({ result }: ToolItem): string {
  if (!result) return "no result";
  if (result.backgroundTaskId !== undefined) return `→ background ${result.backgroundTaskId}`;
  return `${result.isError ? "✗" : "✓"}${result.bytes > 0 ? ` ${formatBytes(result.bytes)}` : ""}`;
}

/** The input as it reads best: a command or text as it is, anything else as JSON. */
export function toolInputText({ input, name }: ToolItem): string {
  if (input === undefined) return "";
  const { command, prompt, content } = input as { command?: unknown; prompt?: unknown; content?: unknown };
  const plain =
    name === "Bash"
      ? command
      : name === "Task" || name === "Agent"
        ? prompt
        : name === "Write"
          ? content
          : undefined;
  return clip(typeof plain === "string" ? plain : jsonText(input, 2));
}

export function toolResultText({ result }: ToolItem): string {
  if (!result) return "";
  return clip(
    [result.text, ...Array.from({ length: result.images }, () => "[image]")].filter(Boolean).join("\n"),
  );
}

function clip(text: string): string {
  if (text.length <= exportedResultLengthMax) return text;
  const kept = beginningOf(text, exportedResultLengthMax);
  return `${kept}\n… ${formatBytes(Buffer.byteLength(text.slice(kept.length)))} more`;
}
