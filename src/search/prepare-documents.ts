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
    const names = new ToolNames(path, fd, from);
    let last: number | null = null;
    const documents = lines.documents.map(({ document, offset, length }, index): PreparedDocument => {
      // Titles do not say when; they belong to what was said just before.
      last = document.at ?? last;
      const { role, type } = document;
      return {
        offset,
        length,
        at: last,
        role,
        type,
        tools: names.of(document),
        blocks: blocks[index]!,
      };
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

/** Which tool a result is of: said by the call, which stands before it, often just before. */
class ToolNames {
  readonly #fd: number;
  readonly #from: number;
  readonly #names: Map<string, string>;

  constructor(path: string, fd: number, from: number) {
    this.#fd = fd;
    this.#from = from;
    this.#names = from > 0 && lastNames.path === path ? lastNames.names : new Map<string, string>();
    lastNames = { path, names: this.#names };
  }

  of({ tools, answers }: EntryDocument): string {
    for (const { id, name } of tools) this.#names.set(id, name);
    const answered = answers.map((id) => this.#names.get(id) ?? this.#lookBack(id));
    const names = new Set([
      ...tools.map(({ name }) => name),
      ...answered.filter((name) => name !== undefined),
    ]);
    return names.size === 0 ? "" : ` ${[...names].join(" ")} `;
  }

  #lookBack(id: string): string | undefined {
    const name = findToolName(this.#fd, id, this.#from);
    if (name !== undefined) this.#names.set(id, name);
    return name;
  }
}

// Parts of one file mostly come one after the other.
let lastNames: { path: string; names: Map<string, string> } = { path: "", names: new Map() };
