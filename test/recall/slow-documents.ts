import fs from "node:fs";
import path from "node:path";
import { findSecrets } from "../../src/lib/find-secrets.ts";

/** A line of a transcript with something to find, read the slow and obvious way: shares no code with src/search. */
export interface SlowDocument {
  path: string;
  uuid: string | undefined;
  /** Without its secrets, and of long blocks only both ends. */
  text: string;
}

/** Every transcript below a config folder. */
export function slowTranscripts(configDir: string): string[] {
  const root = path.join(configDir, "projects");
  return fs
    .readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl") && path.basename(name) !== "journal.jsonl")
    .map((name) => path.join(root, name))
    .sort();
}

export async function slowDocuments(file: string): Promise<SlowDocument[]> {
  const lines = fs.readFileSync(file, "utf8").split("\n").map(parse);
  const found = lines.flatMap((line) => {
    const blocks = line === undefined || line["type"] === "progress" ? [] : blocksOf(line);
    return blocks.some((block) => block !== "") ? [{ line: line!, blocks }] : [];
  });
  const clean = await withoutSecrets(found.map(({ blocks }) => blocks));
  return found.map(({ line }, index) => ({
    path: file,
    uuid: typeof line["uuid"] === "string" ? line["uuid"] : undefined,
    text: clean[index]!.map(bothEnds).join("\n"),
  }));
}

type Json = Record<string, any>; // eslint-disable-line typescript/no-explicit-any -- raw JSON, looked at without the product's types

function parse(text: string): Json | undefined {
  try {
    const line: unknown = JSON.parse(text);
    const isEntry = typeof line === "object" && line !== null && "type" in line;
    return isEntry && typeof line.type === "string" ? line : undefined;
  } catch {
    return undefined;
  }
}

function blocksOf(line: Json): string[] {
  if (line["type"] === "user" || line["type"] === "assistant") return messageBlocks(line["message"]?.content);
  const { content, summary, customTitle, aiTitle, agentName, tag, prUrl, attachment } = line;
  const notes: unknown[] = [content, summary, customTitle, aiTitle, agentName, tag, prUrl];
  notes.push(attachment?.filename, attachment?.content, textsIn(attachment?.prompt).join("\n"));
  return notes.filter((note) => typeof note === "string");
}

function messageBlocks(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return (content as Json[]).flatMap((block) => {
    if (block["type"] === "tool_use") return [String(block["name"]), valuesIn(block["input"]).join("\n")];
    if (block["type"] === "tool_result") return [textsIn(block["content"]).join("\n")];
    const text: unknown = block["type"] === "thinking" ? block["thinking"] : block["text"];
    return typeof text === "string" ? [text] : [];
  });
}

function textsIn(content: unknown): string[] {
  if (typeof content === "string") return [content];
  return Array.isArray(content)
    ? (content as Json[]).map((block) => block["text"] as unknown).filter((text) => typeof text === "string")
    : [];
}

function valuesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(valuesIn) : [];
}

function bothEnds(text: string): string {
  return text.length > 65_536 ? `${text.slice(0, 32_768)}\n${text.slice(-32_768)}` : text;
}

/** The texts of a file are looked at one with all, because one by one takes hours; each between lines of its own. */
async function withoutSecrets(documents: readonly string[][]): Promise<string[][]> {
  const gap = "\n\n\u0000\n\n";
  const texts = documents.flat();
  const secrets = await findSecrets(texts.join(gap));
  if (secrets.length === 0) return documents as string[][];
  let at = 0;
  return documents.map((blocks) =>
    blocks.map((block) => {
      const from = at;
      at += block.length + gap.length;
      let clean = "";
      let copied = 0;
      for (const { start, end, kind } of secrets) {
        if (end <= from || start >= from + block.length) continue;
        clean += `${block.slice(copied, Math.max(0, start - from))}[redacted ${kind}]`;
        copied = end - from;
      }
      return clean + block.slice(copied);
    }),
  );
}
