import fs from "node:fs";
import path from "node:path";
import { configPaths } from "../../format/paths.ts";
import { createFileAtomic, writeFully } from "../../lib/atomic-write.ts";
import { systemClock, type Clock } from "../../lib/clock.ts";
import { codeOf } from "../../lib/errors.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { readBytes } from "../../lib/line-scanner.ts";
import { childPath, ensurePrivateDir } from "../../lib/private-dir.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import {
  largeOutputBytesMax,
  largeOutputNamesMax,
  largeOutputReadBytesMax,
  largeOutputToolLengthMax,
} from "./limits.ts";
import { readNames, type CompanionProblem } from "./read-companion.ts";

/** An output that was too large for its tool result and lies in a file of its own. */
export interface LargeOutput {
  /** Written by Holdfast for an MCP tool, or spilled by the client beside the transcript. */
  kind: "mcp-output" | "tool-result";
  name: string;
  path: string;
  bytes: number;
  writtenAt: string;
}

export interface WrittenOutput {
  path: string;
  bytes: number;
  /** What the tool result says in place of the output. */
  pointer: string;
}

/** An output that is being written as it comes. */
export interface KeptOutput {
  write(bytes: Uint8Array): void;
  /** Undefined when nothing was written, or it could not be kept. */
  close(): WrittenOutput | undefined;
}

export interface WriteLargeOutputOptions {
  configDir: string;
  sessionId: string;
  tool: string;
  clock?: Clock;
  files?: FileOps;
}

/** Keeps a tool's output as a JSON file, durably, and returns the text that points to it. */
export function writeLargeOutput(output: unknown, options: WriteLargeOutputOptions): WrittenOutput {
  const { files = nodeFileOps } = options;
  const data = Buffer.from(JSON.stringify(output, null, 2) ?? "null");
  const { path: file } = underFreeName(options, ".json", (name) => createFileAtomic(name, data, { files }));
  return writtenTo(file, { tool: options.tool, bytes: data.length });
}

/**
 * Keeps what a tool prints as a text file, as it is printed, up to a limit. Not synced, and never in the tool's way: what cannot be
 * kept leaves nothing, and is said by `close`.
 */
export function openLargeOutput(options: WriteLargeOutputOptions): KeptOutput {
  const { files = nodeFileOps } = options;
  let opened: { path: string; made: number } | undefined;
  let bytes = 0;
  let isLost = false;
  const giveUp = (): void => {
    isLost = true;
    if (opened) files.closeSync(opened.made);
    if (opened) fs.rmSync(opened.path, { force: true });
    opened = undefined;
  };
  return {
    write(chunk) {
      if (isLost) return;
      const room = largeOutputBytesMax - bytes;
      try {
        opened ??= underFreeName(options, ".txt", (name) => files.openSync(name, "wx", 0o600));
        writeFully(opened.made, chunk.subarray(0, room), files);
        bytes += Math.min(room, chunk.length);
      } catch {
        giveUp();
      }
    },
    close() {
      if (!opened) return undefined;
      files.closeSync(opened.made);
      return writtenTo(opened.path, { tool: options.tool, bytes });
    },
  };
}

/** Makes a file whose name says tool and time; another one of the same moment gets a number. */
function underFreeName<Made>(
  { configDir, sessionId, tool, clock = systemClock, files = nodeFileOps }: WriteLargeOutputOptions,
  extension: string,
  make: (file: string) => Made,
): { path: string; made: Made } {
  const dir = ensurePrivateDir(configPaths(configDir).mcpOutputsDir(sessionId), files);
  const name = tool.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, largeOutputToolLengthMax);
  const stem = `mcp-output-${name}-${clock.now().toISOString().replace(/[:.]/g, "-")}`;
  for (let count = 1; count <= largeOutputNamesMax; count++) {
    const file = path.join(dir, `${stem}${count === 1 ? "" : `-${count}`}${extension}`);
    try {
      return { path: file, made: make(file) };
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  throw storeError(
    "target_exists",
    `Cannot keep output "${stem}": ${largeOutputNamesMax} files have its name`,
  );
}

/** Every large output of a session, oldest first. */
export function listLargeOutputs({ configDir, session }: { configDir: string; session: SessionRef }): {
  outputs: LargeOutput[];
  problems: CompanionProblem[];
} {
  const problems: CompanionProblem[] = [];
  const outputs = (["mcp-output", "tool-result"] as const).flatMap((kind) => {
    const dir = outputsDir(kind, { configDir, session });
    return readNames(dir, problems).flatMap((name): LargeOutput[] => {
      const file = path.join(dir, name);
      const stat = fs.lstatSync(file, { throwIfNoEntry: false });
      if (!stat?.isFile() || name.startsWith(".")) return [];
      return [{ kind, name, path: file, bytes: stat.size, writtenAt: stat.mtime.toISOString() }];
    });
  });
  outputs.sort((a, b) => a.writtenAt.localeCompare(b.writtenAt));
  return { outputs, problems };
}

export interface ReadLargeOutputOptions {
  configDir: string;
  session: SessionRef;
  kind: LargeOutput["kind"];
  /** A plain file name. Of a path that a transcript names, only the last part: the folder is known. */
  name: string;
  /** In bytes; 0 by default. */
  offset?: number | undefined;
  /** At most 1 MB, which is the default. */
  bytesMax?: number | undefined;
}

export interface LargeOutputPiece {
  bytes: Buffer;
  total: number;
  /** Where the next piece begins; absent after the last. */
  nextOffset?: number;
}

/** Reads a piece of a large output. Throws `companion_not_found` when it is not there, or is not a plain file. */
export function readLargeOutput(options: ReadLargeOutputOptions): LargeOutputPiece {
  const { name, kind, offset, bytesMax, ...where } = options;
  const file = childPath(outputsDir(kind, where), name);
  const fd = openOutput(file);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw notFound(file);
    return pieceOf(stat.size, { offset, bytesMax }, (range) => readBytes(fd, range));
  } finally {
    fs.closeSync(fd);
  }
}

/** A piece of something of a size, at most as long as one read may return. */
export function pieceOf(
  total: number,
  { offset = 0, bytesMax = largeOutputReadBytesMax }: Pick<ReadLargeOutputOptions, "offset" | "bytesMax">,
  read: (range: { offset: number; length: number }) => Buffer,
): LargeOutputPiece {
  const length = Math.min(largeOutputReadBytesMax, bytesMax, Math.max(0, total - offset));
  const bytes = read({ offset, length });
  const nextOffset = offset + bytes.length;
  return { bytes, total, ...(nextOffset < total && bytes.length > 0 && { nextOffset }) };
}

function outputsDir(kind: LargeOutput["kind"], where: { configDir: string; session: SessionRef }): string {
  const { sessionId, path: transcript } = where.session;
  if (kind === "mcp-output") return configPaths(where.configDir).mcpOutputsDir(sessionId);
  return path.join(childPath(path.dirname(transcript), sessionId), "tool-results");
}

function openOutput(file: string): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  try {
    return fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ELOOP") throw notFound(file, error);
    throw error;
  }
}

function notFound(file: string, cause?: unknown): Error {
  return storeError("companion_not_found", `Cannot read output "${file}": no such file`, {
    cause,
    fields: { path: file },
  });
}

function writtenTo(file: string, { tool, bytes }: { tool: string; bytes: number }): WrittenOutput {
  const size = bytes < largeOutputBytesMax ? `${bytes} bytes` : `its first ${bytes} bytes`;
  const pointer = `The output of ${tool} is too long for this result. It (${size}) is in: ${file}\nRead it in parts, or search it.`;
  return { path: file, bytes, pointer };
}
