import { isJsonObject } from "../../format/json-object.ts";
import { isSafeName } from "../../format/paths.ts";
import type { AgentType } from "./agent-type.ts";

/** What a file says, or why it says nothing. */
export type ParsedAgentType = Omit<AgentType, "source" | "path"> | { reason: string };

/** Reads the text of an `agents/*.md`: front matter with name, description, tools and model, then what it is told. */
export async function parseAgentType(text: string): Promise<ParsedAgentType> {
  const parts = /^---[ \t]*\r?\n(?<head>[\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)(?<body>[\s\S]*)$/.exec(
    text.replace(/^\uFEFF/, ""),
  )?.groups;
  if (!parts) return { reason: "it has no front matter between two lines of ---" };
  const fields = await parseFrontMatter(parts["head"]!);
  const name = textOf(fields["name"]);
  const description = textOf(fields["description"]);
  if (name === undefined) return { reason: "its front matter has no name" };
  if (!isSafeName(name)) return { reason: `"${name}" cannot be a name` };
  if (description === undefined) return { reason: "its front matter has no description" };
  const tools = toolsOf(fields["tools"]);
  const model = textOf(fields["model"]);
  const systemPrompt = parts["body"]!.trim();
  return {
    name,
    description,
    ...(systemPrompt !== "" && { systemPrompt }),
    ...(tools && { tools }),
    // "inherit" is the client's word for the launcher's own model.
    ...(model !== undefined && model !== "inherit" && { model }),
  };
}

// Many files in the wild are no YAML: descriptions run on with colons and quotes. The client takes them line by line.
async function parseFrontMatter(head: string): Promise<Record<string, unknown>> {
  const { parse } = await import("yaml");
  try {
    const fields: unknown = parse(head, { maxAliasCount: 0, logLevel: "error" });
    if (isJsonObject(fields)) return fields;
  } catch {
    // Read below.
  }
  const lines = head.split(/\r?\n/).flatMap((line) => {
    const { key, value } = /^(?<key>[A-Za-z][\w-]*):[ \t]*(?<value>.*)$/.exec(line)?.groups ?? {};
    return key === undefined ? [] : [[key, value!.trim().replace(/^(["'])(.*)\1$/, "$2")]];
  });
  return Object.fromEntries(lines) as Record<string, unknown>;
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/** A list, or words with commas between; `*` and nothing mean all. */
function toolsOf(value: unknown): string[] | undefined {
  const words = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  const tools = words.flatMap((word) => textOf(word) ?? []);
  return tools.length === 0 || tools.includes("*") ? undefined : tools;
}
