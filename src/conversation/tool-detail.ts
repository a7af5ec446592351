import path from "node:path";
import { isJsonObject } from "../format/json-object.ts";
import { pathBelow } from "../lib/path-below.ts";
import type { ToolItem } from "./conversation-item.ts";

export interface ToolCall {
  name: string;
  input: unknown;
  cwd: string | undefined;
}

/** What a tool was asked to do, in a few words: its command, file, pattern or address. */
export function toolDetail({ name, input, cwd }: ToolCall): Pick<ToolItem, "detail" | "isPath"> {
  if (!isJsonObject(input)) return { detail: "" };
  const text = (key: string): string => (typeof input[key] === "string" ? input[key] : "");
  const file = (key: string): string => relativeTo(cwd, text(key));
  switch (name) {
    case "Bash":
      return { detail: text("command") };
    case "Read":
    case "Write":
    case "Edit":
    case "MultiEdit":
      return { detail: file("file_path"), isPath: true };
    case "NotebookEdit":
      return { detail: file("notebook_path"), isPath: true };
    case "Glob":
    case "Grep":
      return { detail: [text("pattern"), file("path")].filter(Boolean).join(" in ") };
    case "Task":
    case "Agent":
      return { detail: [text("subagent_type"), text("description")].filter(Boolean).join(": ") };
    case "TodoWrite":
      return { detail: Array.isArray(input["todos"]) ? `${input["todos"].length} items` : "" };
    default:
      return { detail: firstText(input) };
  }
}

/** Tools that start a sub-agent: `Task` until 2.1.62, `Agent` since. */
export function startsAgent(name: string): boolean {
  return name === "Task" || name === "Agent";
}

function relativeTo(cwd: string | undefined, file: string): string {
  return cwd === undefined || !path.isAbsolute(file) ? file : pathBelow(cwd, file) || file;
}

// A tool we do not know: what it was asked is nearly always its first text.
function firstText(input: Record<string, unknown>): string {
  for (const value of Object.values(input)) if (typeof value === "string" && value !== "") return value;
  return "";
}
