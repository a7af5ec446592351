import fs from "node:fs";
import { lineBytesMax } from "../format/limits.ts";
import { valueOfLine } from "../format/line-entry.ts";
import { scanBuffer, scanLines } from "../lib/line-scanner.ts";
import type { TranscriptPart } from "../store/line/cut-parts.ts";
import { openIfThere } from "../store/read/open-if-there.ts";
import type { DocumentRole } from "./document-role.ts";
import { documentOf, type EntryDocument } from "./entry-document.ts";
import { findToolName } from "./find-tool-name.ts";
import { redactBlocks } from "./redact-documents.ts";

/** A line as the index takes it in. */
export interface PreparedDocument {
  offset: number;
  length: number;
  at: number | null;
  role: DocumentRole;
  type: string;
  /** Names of the tools that it calls or answers, each between spaces. */
  tools: string;
  /** Without its secrets. */
  blocks: readonly string[];
}

export interface PreparedPart {
  documents: PreparedDocument[];
  /** Behind the last line that was whole; what follows is looked at again. */
  to: number;
}

/** Reads and redacts. A last line that is not whole yet is left for the next time; a file that is gone is empty. */
export async function prepareDocuments({ path, from, to }: TranscriptPart): Promise<PreparedPart> {
  const fd = openIfThere(path);
  if (fd === undefined) return { documents: [], to: from };
  try {
    const lines = readLines(fd, { from, to });
    const blocks = await redactBlocks(lines.documents.map(({ document }) => document.blocks));
    const namesOf = toolNames(path, fd, from);
    let last: number | null = null;
    const documents = lines.documents.map(({ document, offset, length }, index): PreparedDocument => {
      // Titles do not say when; they belong to what was said just before.
      last = document.at ?? last;
      const { role, type } = document;
      const tools = namesOf(document);
      return { offset, length, at: last, role, type, tools, blocks: blocks[index]! };
    });
    return { documents, to: lines.to };
  } finally {
    fs.closeSync(fd);
  }
}

interface ReadLines {
  documents: { document: EntryDocument; offset: number; length: number }[];
  to: number;
}

function readLines(fd: number, { from, to }: { from: number; to: number }): ReadLines {
  const read: ReadLines = { documents: [], to: from };
  const buffer = (sharedBuffer ??= scanBuffer());
  scanLines(fd, { from, to, lineBytesMax, buffer }, (bytes, start, end, line) => {
    if (line.terminated) read.to = line.offset + line.length + 1;
    if (line.oversized) return;
    const parsed = valueOfLine(bytes.toString("utf8", start, end));
    // A whole line without its newline is one all the same; many files end so.
    if (!line.terminated && parsed !== undefined) read.to = line.offset + line.length;
    const document = documentOf(parsed);
    if (document) read.documents.push({ document, offset: line.offset, length: line.length });
  });
  return read;
}

// One at a time, because lines are read without a pause.
let sharedBuffer: Buffer | undefined;

/** Which tools a line calls or answers. The call, which stands before its result, often just before, names the tool. */
function toolNames(path: string, fd: number, from: number): (document: EntryDocument) => string {
  const known = from > 0 && lastNames.path === path ? lastNames.names : new Map<string, string>();
  lastNames = { path, names: known };
  const lookBack = (id: string): string | undefined => {
    const name = findToolName(fd, id, from);
    if (name !== undefined) known.set(id, name);
    return name;
  };
  return ({ tools, answers }) => {
    for (const { id, name } of tools) known.set(id, name);
    const answered = answers.flatMap((id) => known.get(id) ?? lookBack(id) ?? []);
    const names = new Set([...tools.map(({ name }) => name), ...answered]);
    return names.size === 0 ? "" : ` ${[...names].join(" ")} `;
  };
}

// Parts of one file mostly come one after the other.
let lastNames: { path: string; names: Map<string, string> } = { path: "", names: new Map() };
