/**
 * What a transcript says, reckoned the slow and obvious way: parse everything, keep everything, look things up in
 * maps. Shares no code with src/, so that agreement between the two means something.
 */
import fs from "node:fs";

export interface Reckoning {
  lines: number;
  rejectedOffsets: number[];
  types: Record<string, number>;
  /** Uuids of the messages of the whole conversation, as a set in file order. */
  conversation: string[];
  /** The same for what a resume gives the model. */
  context: string[];
  usage: {
    messages: number;
    inputTokens: number;
    outputTokens: number;
    cacheCreationTokens: number;
    cacheReadTokens: number;
  };
}

interface Line {
  at: number;
  [key: string]: any; // eslint-disable-line typescript/no-explicit-any -- raw JSON, looked at without the product's types
}

export function reckon(file: string): Reckoning {
  const { entries, rejectedOffsets, lines } = parseAll(file);
  const types: Record<string, number> = {};
  for (const entry of entries) types[entry["type"]] = (types[entry["type"]] ?? 0) + 1;
  return { lines, rejectedOffsets, types, ...conversations(entries), usage: reckonUsage(entries) };
}

function parseAll(file: string): { entries: Line[]; rejectedOffsets: number[]; lines: number } {
  const entries: Line[] = [];
  const rejectedOffsets: number[] = [];
  let offset = 0;
  let lines = 0;
  for (const text of fs.readFileSync(file, "latin1").split("\n")) {
    if (text.trim() !== "") {
      lines++;
      try {
        entries.push({ ...JSON.parse(Buffer.from(text, "latin1").toString("utf8")), at: entries.length });
      } catch {
        rejectedOffsets.push(offset);
      }
    }
    offset += text.length + 1;
  }
  return { entries, rejectedOffsets, lines };
}

function conversations(entries: Line[]): { conversation: string[]; context: string[] } {
  const nodes = new Map<string, Line>();
  for (const entry of entries) if (entry["uuid"]) nodes.set(entry["uuid"], entry);
  const isMessage = (entry: Line): boolean => entry["type"] === "user" || entry["type"] === "assistant";
  const main = entries.filter((entry) => entry["uuid"] && isMessage(entry) && !entry["isSidechain"]);
  const leaf = main.at(-1) ?? entries.findLast((entry) => entry["uuid"] && isMessage(entry));
  if (!leaf) return { conversation: [], context: [] };

  const path = new Set<Line>();
  let contextPath: Line[] | undefined;
  let node: Line | undefined = leaf;
  while (node) {
    path.add(node);
    const isBoundary: boolean = node["subtype"] === "compact_boundary";
    if (isBoundary) {
      const kept: string[] = node["compactMetadata"]?.preservedMessages?.uuids ?? [];
      for (const uuid of kept) if (nodes.has(uuid)) path.add(nodes.get(uuid)!);
      contextPath ??= [...path];
    }
    const parent: Line | undefined = nodes.get(node["parentUuid"] ?? node["logicalParentUuid"]);
    const isRoot: boolean = !node["parentUuid"] && !node["logicalParentUuid"] && !isBoundary;
    node =
      parent && !path.has(parent)
        ? parent
        : isRoot
          ? undefined
          : previousOnChain(entries, node, path, parent);
  }
  const names = (lines: Iterable<Line>): string[] =>
    withGroups(entries, new Set(lines))
      .filter(isMessage)
      .map((entry) => entry["uuid"] as string);
  return { conversation: names(path), context: names(contextPath ?? path) };
}

// Where the parent is not in the file (or was kept behind a summary already): up from it, or the line before.
function previousOnChain(
  entries: Line[],
  node: Line,
  path: Set<Line>,
  parent: Line | undefined,
): Line | undefined {
  const nodes = new Map(
    entries.filter((entry) => entry["uuid"]).map((entry) => [entry["uuid"] as string, entry]),
  );
  for (let up = parent; up; up = nodes.get(up["parentUuid"])) if (!path.has(up)) return up;
  return entries.findLast(
    (entry) =>
      entry.at < node.at &&
      entry["uuid"] &&
      entry["type"] !== "progress" &&
      Boolean(entry["isSidechain"]) === Boolean(node["isSidechain"]) &&
      !path.has(entry),
  );
}

function withGroups(entries: Line[], path: Set<Line>): Line[] {
  const messageIds = new Set(
    [...path].filter((e) => e["type"] === "assistant" && e["message"]?.id).map((e) => e["message"].id),
  );
  const isOnGroup = (e: Line): boolean =>
    path.has(e) || (e["type"] === "assistant" && messageIds.has(e["message"]?.id));
  const blocks = (e: Line): any[] => (Array.isArray(e["message"]?.content) ? e["message"].content : []); // eslint-disable-line typescript/no-explicit-any
  const uses = new Set(
    entries.filter(isOnGroup).flatMap((e) =>
      blocks(e)
        .filter((b) => b.type === "tool_use")
        .map((b) => b.id),
    ),
  );
  return entries.filter(
    (e) => isOnGroup(e) || blocks(e).some((b) => b.type === "tool_result" && uses.has(b.tool_use_id)),
  );
}

function reckonUsage(entries: Line[]): Reckoning["usage"] {
  const messages = new Map<string, number[]>();
  for (const { type, message, requestId } of entries) {
    if (type !== "assistant" || !message?.usage || message.model === "<synthetic>") continue;
    const u = message.usage;
    const nested =
      (u.cache_creation?.ephemeral_5m_input_tokens ?? 0) + (u.cache_creation?.ephemeral_1h_input_tokens ?? 0);
    const row = [
      u.input_tokens ?? 0,
      u.output_tokens ?? 0,
      Math.max(u.cache_creation_input_tokens ?? 0, nested),
      u.cache_read_input_tokens ?? 0,
    ];
    const key = `${message.id}/${requestId ?? ""}`;
    messages.set(
      key,
      row.map((n, i) => Math.max(n, messages.get(key)?.[i] ?? 0)),
    );
  }
  const sum = (i: number): number => [...messages.values()].reduce((total, row) => total + row[i]!, 0);
  return {
    messages: messages.size,
    inputTokens: sum(0),
    outputTokens: sum(1),
    cacheCreationTokens: sum(2),
    cacheReadTokens: sum(3),
  };
}
