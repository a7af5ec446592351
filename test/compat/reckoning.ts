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
  /** Messages of the file that are in no conversation, by why. */
  elsewhere: { branches: number; agents: number; repeated: number };
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

type Conversations = Pick<Reckoning, "conversation" | "context" | "elsewhere">;

const isMessage = (entry: Line): boolean => entry["type"] === "user" || entry["type"] === "assistant";
const isError = (entry: Line | undefined): boolean => entry?.["subtype"] === "api_error";
const isBoundary = (entry: Line): boolean => entry["subtype"] === "compact_boundary";

function conversations(entries: Line[]): Conversations {
  // The nearest one above with this uuid, else the last of all.
  const find = (uuid: unknown, from: Line): Line | undefined => {
    const all = uuid ? entries.filter((entry) => entry["uuid"] === uuid) : [];
    return all.findLast(({ at }) => at < from.at) ?? all.at(-1);
  };
  const nodes = new Map<string, Line>();
  for (const entry of entries) if (entry["uuid"]) nodes.set(entry["uuid"], entry);
  const hasTwins = nodes.size < entries.filter((entry) => entry["uuid"]).length;
  const parentOf = (line: Line): Line | undefined => {
    const uuid = line["parentUuid"] ?? line["logicalParentUuid"];
    return hasTwins ? find(uuid, line) : nodes.get(uuid);
  };
  const main = entries.filter((entry) => entry["uuid"] && isMessage(entry) && !entry["isSidechain"]);
  const leaf = main.at(-1) ?? entries.findLast((entry) => entry["uuid"] && isMessage(entry));
  if (!leaf) return { conversation: [], context: [], elsewhere: { branches: 0, agents: 0, repeated: 0 } };

  const path = new Set<Line>();
  let contextPath: Line[] | undefined;
  let node: Line | undefined = leaf;
  while (node) {
    path.add(node);
    const isRootSummary: boolean = node["isCompactSummary"] === true && !node["parentUuid"];
    const isStart: boolean = isBoundary(node) || isRootSummary;
    if (isStart) {
      const kept: string[] = node["compactMetadata"]?.preservedMessages?.uuids ?? [];
      for (const uuid of kept) if (nodes.has(uuid)) path.add(nodes.get(uuid)!);
      contextPath ??= [...path];
    }
    const beside: Line[] = isError(node) ? turnBeside(entries, node, { parentOf, path }) : [];
    for (const line of beside) path.add(line);
    const named: Line | undefined = beside.length > 0 ? topOf(beside, parentOf, path) : parentOf(node);
    const parent: Line | undefined = isBoundary(node) && named && named.at > node.at ? undefined : named;
    const isRoot: boolean = !node["parentUuid"] && !node["logicalParentUuid"] && !isStart;
    node =
      parent && !path.has(parent)
        ? parent
        : isRoot
          ? undefined
          : previousOnChain(entries, node, path, parent);
  }
  const linesOf = (lines: Iterable<Line>): Line[] => withGroups(entries, new Set(lines)).filter(isMessage);
  const names = (lines: Iterable<Line>): string[] => linesOf(lines).map((entry) => entry["uuid"] as string);
  return {
    conversation: names(path),
    context: names(contextPath ?? path),
    elsewhere: reckonElsewhere(entries, new Set(linesOf(path)), leaf),
  };
}

// Everything between the request that failed and the error that was written late, if it hangs on that request.
function turnBeside(
  entries: Line[],
  error: Line,
  { parentOf, path }: { parentOf: (line: Line) => Line | undefined; path: Set<Line> },
): Line[] {
  const errors: Line[] = [];
  let asked = parentOf(error);
  for (; asked && isError(asked) && !errors.includes(asked); asked = parentOf(asked)) errors.push(asked);
  if (!asked) return [];
  const hangs = (line: Line | undefined): boolean => {
    for (let at = line; at && at.at > asked.at; at = parentOf(at)) if (parentOf(at) === asked) return true;
    return false;
  };
  const turn = entries.filter(
    (line) =>
      line.at > asked.at &&
      line.at < error.at &&
      line["uuid"] &&
      line["type"] !== "progress" &&
      !errors.includes(line) &&
      !path.has(line) &&
      hangs(line),
  );
  const last = turn.at(-1);
  const chain: Line[] = [];
  for (let at = last; at && at !== asked; at = parentOf(at)) chain.push(at);
  return chain.length === 0 ? [] : [...chain, ...errors];
}

function topOf(chain: Line[], parentOf: (line: Line) => Line | undefined, path: Set<Line>): Line | undefined {
  return chain.map(parentOf).find((parent) => parent && !path.has(parent));
}

function reckonElsewhere(entries: Line[], said: Set<Line>, leaf: Line): Reckoning["elsewhere"] {
  const elsewhere = { branches: 0, agents: 0, repeated: 0 };
  const counted = new Set([...said].map((line) => line["uuid"] as string));
  for (const entry of entries.filter((each) => isMessage(each) && !said.has(each))) {
    if (counted.has(entry["uuid"])) elsewhere.repeated++;
    else if (Boolean(entry["isSidechain"]) === Boolean(leaf["isSidechain"])) elsewhere.branches++;
    else elsewhere.agents++;
    if (entry["uuid"]) counted.add(entry["uuid"]);
  }
  return elsewhere;
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
    const asked = [
      [`${message.id}/${requestId ?? ""}`, message.usage],
      ...(message.usage.iterations ?? []).flatMap((each: Record<string, unknown> | null, index: number) =>
        each?.type === "advisor_message" ? [[`${message.id}/${requestId ?? ""}/${index}`, each]] : [],
      ),
    ];
    for (const [key, u] of asked) noteUsage(messages, key, u);
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

interface RawUsage {
  input_tokens?: number;
  output_tokens?: number;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation?: { ephemeral_5m_input_tokens?: number; ephemeral_1h_input_tokens?: number } | null;
}

function noteUsage(messages: Map<string, number[]>, key: string, u: RawUsage): void {
  const nested =
    (u.cache_creation?.ephemeral_5m_input_tokens ?? 0) + (u.cache_creation?.ephemeral_1h_input_tokens ?? 0);
  const row = [
    u.input_tokens ?? 0,
    u.output_tokens ?? 0,
    Math.max(u.cache_creation_input_tokens ?? 0, nested),
    u.cache_read_input_tokens ?? 0,
  ];
  messages.set(
    key,
    row.map((n, i) => Math.max(n, messages.get(key)?.[i] ?? 0)),
  );
}
