import fs from "node:fs";
import { toldBytesMax } from "./limits.ts";
import { isJsonObject } from "../format/json-object.ts";
import { parseTaskNotification } from "../format/task-notification.ts";
import { parseJson } from "../lib/read-json.ts";
import { readIfPlain } from "../lib/read-if-plain.ts";

/** What the client of a session says of background work, as the session's transcript shows. */
export interface ClientNotices {
  /** Its model was told how this ended, after that moment. */
  hasTold(id: string, since: string): boolean;
  /** It is about to be told, by a client that runs since that moment. */
  isQueued(id: string, since: string): boolean;
  /**
   * The client said of it, when the session was resumed, that it had not finished: it says so of all work that has no
   * notification, without looking.
   */
  doubts(id: string): boolean;
  /** When the model answered last; empty when it never did. */
  readonly lastAnswerAt: string;
  /** False where there is no transcript: other clients have none that is known. */
  readonly canLook: boolean;
}

/** Reads the last part of a transcript; of its lines only those that hold a notification are parsed. */
export function readClientNotices(transcript: string): ClientNotices {
  const bytes = readTail(transcript) ?? Buffer.alloc(0);
  const found: Found = { told: new Map(), queued: new Map(), doubted: new Set() };
  let end = 0;
  for (;;) {
    const at = bytes.indexOf("<task-notification>", end);
    if (at < 0) break;
    const lineEnd = bytes.indexOf(0x0a, at);
    end = lineEnd < 0 ? bytes.length : lineEnd;
    const entry = parseJson(bytes.subarray(bytes.lastIndexOf(0x0a, at) + 1, end));
    if (isJsonObject(entry)) note(entry, found);
  }
  const { told, queued, doubted } = found;
  return {
    hasTold: (id, since) => (told.get(id) ?? "") > since,
    isQueued: (id, since) => (queued.get(id) ?? "") > since,
    doubts: (id) => doubted.has(id),
    canLook: bytes.length > 0,
    lastAnswerAt: lastAnswerIn(bytes),
  };
}

interface Found {
  told: Map<string, string>;
  queued: Map<string, string>;
  doubted: Set<string>;
}

function note(entry: Record<string, unknown>, { told, queued, doubted }: Found): void {
  const { type, operation, content, message, attachment, timestamp, queueTranscriptOnly } = entry;
  const at = typeof timestamp === "string" ? timestamp : "";
  if (type === "queue-operation") {
    const id = idIn(content);
    if (id === undefined) return;
    if (operation === "enqueue") queued.set(id, at);
    else queued.delete(id);
    return;
  }
  const isQueuedCommand = isJsonObject(attachment) && attachment["type"] === "queued_command";
  const said = isJsonObject(message) && type === "user" ? idIn(message["content"]) : undefined;
  const id = said ?? (isQueuedCommand ? idIn(attachment["prompt"]) : undefined);
  if (id === undefined) return;
  queued.delete(id);
  if (queueTranscriptOnly === true) doubted.add(id);
  else told.set(id, at);
}

// A notification that says how something ended; those of a monitor's lines do not.
function idIn(text: unknown): string | undefined {
  return typeof text === "string" ? parseTaskNotification(text)?.taskId : undefined;
}

// In UTC and of one length, so that times are compared as text.
function lastAnswerIn(bytes: Buffer): string {
  const at = bytes.lastIndexOf('"type":"assistant"');
  if (at < 0) return "";
  const end = bytes.indexOf(0x0a, at);
  const line = bytes.toString("utf8", bytes.lastIndexOf(0x0a, at) + 1, end < 0 ? bytes.length : end);
  return /"timestamp":"([^"]*)"/.exec(line)?.[1] ?? "";
}

function readTail(file: string): Buffer | undefined {
  return readIfPlain(file, (fd, { size }) => {
    const bytes = Buffer.allocUnsafe(Math.min(size, toldBytesMax));
    return bytes.subarray(0, fs.readSync(fd, bytes, 0, bytes.length, size - bytes.length));
  });
}
