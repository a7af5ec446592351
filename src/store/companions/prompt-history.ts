import fs from "node:fs";
import { isJsonObject } from "../../format/json-object.ts";
import { lineBytesMax } from "../../format/limits.ts";
import { promptHistoryLimit, promptHistoryPieceBytes } from "./limits.ts";
import { configPaths } from "../../format/paths.ts";
import { codeOf } from "../../lib/errors.ts";
import { findLineStart, isBlank, scanLines } from "../../lib/line-scanner.ts";
import { parseJson } from "../../lib/read-json.ts";
import { rejectionReason, type RejectionReason } from "../line/rejection.ts";

/** A prompt as somebody typed it, from the client's history of all projects. */
export interface TypedPrompt {
  /** What the editor showed; pasted text is a placeholder here. */
  display: string;
  /** By number, as the client keeps it: text, or the hash of a file in `paste-cache/`. */
  pastedContents: Record<string, unknown>;
  typedAt?: string;
  project?: string;
  /** Absent in old lines. */
  sessionId?: string;
}

export interface PromptHistory {
  /** Newest first. */
  prompts: TypedPrompt[];
  /** Lines of the part that was read which are no prompts. */
  rejections: HistoryRejection[];
}

export interface HistoryRejection {
  offset: number;
  length: number;
  reason: RejectionReason | "not-a-prompt";
}

export interface PromptHistoryOptions {
  configDir: string;
  /** Only prompts typed in this folder. */
  project?: string | undefined;
  limit?: number | undefined;
}

/**
 * The newest prompts, read from the end as far as needed. Takes no lock: lines are appended whole, and one
 * caught in the middle is a rejection.
 */
export function readPromptHistory(options: PromptHistoryOptions): PromptHistory {
  const { configDir, project, limit = promptHistoryLimit } = options;
  const result: PromptHistory = { prompts: [], rejections: [] };
  const fd = openHistory(configPaths(configDir).historyFile);
  if (fd === undefined) return result;
  try {
    let end = fs.fstatSync(fd).size;
    while (end > 0 && result.prompts.length < limit) {
      const from = Math.max(0, end - promptHistoryPieceBytes);
      const start = from === 0 ? 0 : findLineStart(fd, from + 1);
      readPiece(fd, { start, end, project }, result);
      end = start;
    }
  } finally {
    fs.closeSync(fd);
  }
  result.prompts = result.prompts.slice(0, limit);
  return result;
}

function openHistory(file: string): number | undefined {
  try {
    return fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

interface Piece {
  start: number;
  end: number;
  project: string | undefined;
}

function readPiece(fd: number, { start, end, project }: Piece, result: PromptHistory): void {
  const prompts: TypedPrompt[] = [];
  const rejections: HistoryRejection[] = [];
  scanLines(fd, { from: start, to: end, lineBytesMax }, (bytes, from, to, { offset, length }) => {
    if (isBlank(bytes, from, to)) return;
    const parsed = parsePrompt(bytes.subarray(from, to));
    if (typeof parsed === "string") rejections.push({ offset, length, reason: parsed });
    else if (project === undefined || parsed.project === project) prompts.push(parsed);
  });
  result.prompts.push(...prompts.reverse());
  result.rejections.unshift(...rejections);
}

function parsePrompt(line: Buffer): TypedPrompt | HistoryRejection["reason"] {
  const value = parseJson(line);
  if (value === undefined) return rejectionReason(line);
  if (!isJsonObject(value) || typeof value["display"] !== "string") return "not-a-prompt";
  const { display, pastedContents, timestamp, project, sessionId } = value;
  const typedAt = typeof timestamp === "number" ? new Date(timestamp) : undefined;
  return {
    display,
    pastedContents: isJsonObject(pastedContents) ? pastedContents : {},
    ...(typedAt && !Number.isNaN(typedAt.getTime()) && { typedAt: typedAt.toISOString() }),
    ...(typeof project === "string" && { project }),
    ...(typeof sessionId === "string" && { sessionId }),
  };
}
