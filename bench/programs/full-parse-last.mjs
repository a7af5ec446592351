// The last entries of a conversation by the cheapest full parse: full-parse-last.mjs FILE COUNT
// Every line is parsed once, but only its place in the graph is kept; the lines that are returned are parsed again.
import fs from "node:fs";
import { report } from "./report.mjs";

const [file, count] = process.argv.slice(2);
const NODE_TYPES = new Set(["user", "assistant", "system", "attachment"]);
const NEWLINE = 10;

await report({ work: readLast, resultOf: (entries) => entries.map(({ uuid }) => uuid) });

function readLast() {
  const descriptor = fs.openSync(file, "r");
  const nodes = readNodes(descriptor);
  const lines = conversationOf(nodes).slice(-Number(count));
  const entries = lines.map(({ offset, length }) => {
    const bytes = Buffer.allocUnsafe(length);
    fs.readSync(descriptor, bytes, 0, length, offset);
    return JSON.parse(bytes.toString());
  });
  fs.closeSync(descriptor);
  return entries;
}

function readNodes(descriptor) {
  const nodes = new Map();
  let buffer = Buffer.allocUnsafeSlow(4 * 1024 * 1024);
  let held = 0;
  let bufferOffset = 0;
  for (;;) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const read = fs.readSync(descriptor, buffer, held, buffer.length - held, null);
    if (read === 0) return nodes;
    const filled = buffer.subarray(0, held + read);
    let start = 0;
    for (let end = filled.indexOf(NEWLINE, held); end !== -1; end = filled.indexOf(NEWLINE, start)) {
      noteNode(nodes, JSON.parse(filled.utf8Slice(start, end)), {
        offset: bufferOffset + start,
        length: end - start,
      });
      start = end + 1;
    }
    filled.copy(buffer, 0, start);
    held = filled.length - start;
    bufferOffset += start;
  }
}

function noteNode(nodes, entry, { offset, length }) {
  if (!NODE_TYPES.has(entry.type) || entry.isSidechain) return;
  const blocks = Array.isArray(entry.message?.content) ? entry.message.content : [];
  nodes.set(entry.uuid, {
    parentUuid: entry.parentUuid,
    logicalParentUuid: entry.logicalParentUuid,
    preserved: entry.compactMetadata?.preservedMessages,
    messageId: entry.message?.id,
    toolUses: blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id),
    toolResults: blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id: id }) => id),
    offset,
    length,
  });
}

// The parent walk over compactions, plus the blocks and results that it misses, in the order of the file;
// preserved messages stand behind their summary.
function conversationOf(nodes) {
  const inFileOrder = [...nodes.values()];
  const taken = new Set();
  for (let node = inFileOrder.at(-1); node !== undefined; node = parentOf(node, { nodes, inFileOrder }))
    taken.add(node);
  const messageIds = new Set([...taken].map(({ messageId }) => messageId));
  messageIds.delete(undefined);
  for (const node of inFileOrder) if (messageIds.has(node.messageId)) taken.add(node);
  const toolUses = new Set([...taken].flatMap((node) => node.toolUses));
  for (const node of inFileOrder) if (node.toolResults.some((id) => toolUses.has(id))) taken.add(node);
  return movePreserved(
    [...taken].sort((left, right) => left.offset - right.offset),
    nodes,
  );
}

function parentOf(node, { nodes, inFileOrder }) {
  if (node.parentUuid !== null) return nodes.get(node.parentUuid);
  if (node.logicalParentUuid === undefined) return undefined;
  // A logical parent that was never written: go on at the line before.
  return nodes.get(node.logicalParentUuid) ?? inFileOrder[inFileOrder.indexOf(node) - 1];
}

function movePreserved(lines, nodes) {
  const behind = new Map();
  const moved = new Set();
  for (const { preserved } of lines) {
    if (preserved === undefined) continue;
    const kept = preserved.uuids.map((uuid) => nodes.get(uuid));
    behind.set(nodes.get(preserved.anchorUuid), kept);
    for (const line of kept) moved.add(line);
  }
  return lines.flatMap((line) => (moved.has(line) ? [] : [line, ...(behind.get(line) ?? [])]));
}
