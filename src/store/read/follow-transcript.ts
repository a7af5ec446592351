import fs from "node:fs";
import path from "node:path";
import type { Entry } from "../../format/index.ts";
import { followCheckMs, followedLinesMax } from "../limits.ts";
import { lineBytesMax } from "../../format/limits.ts";
import { codeOf } from "../../lib/errors.ts";
import { LineScanner, findLineStart, readBytes, type LinePosition } from "../../lib/line-scanner.ts";
import { watchChanges } from "../../lib/watch-changes.ts";
import { digest } from "../index/file-coverage.ts";
import { openTranscriptFile } from "./open-transcript.ts";
import { readVisited } from "./stream-entries.ts";
import type { Rejection } from "../line/rejection.ts";

export type FollowEvent =
  | { kind: "entry"; entry: Entry; offset: number }
  | { kind: "rejection"; rejection: Rejection }
  /** The file was cut or rewritten: what was given from byte `to` on is no longer there. */
  | { kind: "rewound"; to: number };

export interface FollowOptions {
  signal: AbortSignal;
  /** Ends it in good order: when this comes, what is there by then is still given. */
  until?: AbortSignal | undefined;
  /** The byte to start at, the start of a line. Default 0; pass the file's size to see only what is new. */
  from?: number | undefined;
}

/**
 * The lines of a growing transcript: those that are there, then each as it is written, until a signal. A
 * consumer that drops what a `rewound` takes back holds at every moment what reading the file whole would give.
 * A file that does not exist yet is waited for; one that is removed is a file of no bytes. Not noticed is a line
 * in the middle that was replaced by one of the same length.
 */
export async function* followTranscript(
  file: string,
  { signal, until, from = 0 }: FollowOptions,
): AsyncGenerator<FollowEvent> {
  const follower = new Follower(file, from);
  const changes = watchChanges([path.dirname(file), file], {
    checkMs: followCheckMs,
    signal: until ? AbortSignal.any([signal, until]) : signal,
  });
  try {
    for (let isOver = false; !isOver && !signal.aborted;) {
      isOver = until?.aborted ?? false;
      yield* follower.catchUp(signal);
      if (!isOver) await changes.next();
    }
  } finally {
    changes.close();
  }
}

const NEWLINE = 10;

interface SeenLine {
  offset: number;
  length: number;
  digest: string;
  terminated: boolean;
}

class Follower {
  readonly #file: string;
  // Where the file begins for us.
  #from: number;
  // Where reading goes on: behind the last line that was given.
  #at: number;
  #inode = 0;
  // The newest lines, oldest first, to find back to when the file was cut.
  #seen: SeenLine[] = [];

  constructor(file: string, from: number) {
    this.#file = file;
    this.#from = from;
    this.#at = from;
  }

  /** Everything that the file holds now and that was not given yet; lets other work run in between. */
  async *catchUp(signal: AbortSignal): AsyncGenerator<FollowEvent> {
    const fd = this.#open();
    if (fd === undefined) {
      // Whatever is made in its place is new from its first byte on.
      this.#from = 0;
      if (this.#at > 0) yield this.#rewind(0);
      return;
    }
    try {
      const place = this.#place(fd);
      if (place < this.#at) yield this.#rewind(place);
      yield* this.#read(fd, signal);
    } finally {
      fs.closeSync(fd);
    }
  }

  #open(): number | undefined {
    try {
      return openTranscriptFile(this.#file);
    } catch (error) {
      if (codeOf(error) === "session_not_found" || codeOf(error) === "ENOTDIR") return undefined;
      throw error;
    }
  }

  // How much of what was given still stands: all of it, up to some line, or nothing.
  #place(fd: number): number {
    const { size, ino } = fs.fstatSync(fd);
    const isSameFile = ino === this.#inode || this.#inode === 0;
    this.#inode = ino;
    // A new file with the same last line may differ before it, so nothing of it is known to stand.
    if (isSameFile) {
      if (this.#seen.length === 0 && this.#at <= size) return this.#at;
      const line = this.#seen.findLast((each) => stands(fd, size, each));
      if (line) return endOf(line);
    }
    // A beginning that lies behind the end, or in another file, may lie in the middle of a line.
    if (!isSameFile || this.#from > size) this.#from = findLineStart(fd, Math.min(this.#from, size));
    return this.#from;
  }

  #rewind(to: number): FollowEvent {
    this.#at = to;
    this.#seen = this.#seen.filter(({ offset }) => offset < to);
    return { kind: "rewound", to };
  }

  async *#read(fd: number, signal: AbortSignal): AsyncGenerator<FollowEvent> {
    const { size } = fs.fstatSync(fd);
    const scanner = new LineScanner(fd, { from: this.#at, to: size, lineBytesMax });
    let events: FollowEvent[] = [];
    const visit = (bytes: Buffer, start: number, end: number, position: LinePosition): void => {
      const line = readVisited(bytes.subarray(start, end), position);
      // What does not end in a newline is given once it is a whole entry; until then its writer is writing it.
      if (!position.terminated && line?.kind !== "entry") return;
      this.#at = position.offset + position.length + (position.terminated ? 1 : 0);
      this.#remember(bytes.subarray(start, end), position);
      if (line?.kind === "entry") events.push({ kind: "entry", entry: line.entry, offset: line.offset });
      if (line?.kind === "rejection") events.push(line);
    };
    for (let isMore = true; isMore && !signal.aborted;) {
      isMore = scanner.next(visit);
      yield* events;
      events = [];
      await new Promise(setImmediate);
    }
  }

  #remember(bytes: Buffer, { offset, length, terminated, oversized }: LinePosition): void {
    if (oversized) return;
    this.#seen.push({ offset, length, terminated, digest: digest(bytes) });
    if (this.#seen.length > followedLinesMax) this.#seen.splice(0, this.#seen.length - followedLinesMax);
  }
}

function endOf({ offset, length, terminated }: SeenLine): number {
  return offset + length + (terminated ? 1 : 0);
}

// The same bytes, and still a line of their own: whatever follows them now begins with a newline.
function stands(fd: number, size: number, line: SeenLine): boolean {
  if (endOf(line) > size || digestOf(fd, line) !== line.digest) return false;
  const [next] = readBytes(fd, { offset: line.offset + line.length, length: 1 });
  return next === NEWLINE || (next === undefined && !line.terminated);
}

function digestOf(fd: number, { offset, length }: SeenLine): string {
  return digest(readBytes(fd, { offset, length }));
}
