import fs from "node:fs";
import path from "node:path";
import type { Entry } from "../format/index.ts";
import { followCheckMs, followedLinesMax, lineBytesMax } from "../format/limits.ts";
import { LineScanner, readBytes, type LinePosition } from "../lib/line-scanner.ts";
import { watchChanges } from "../lib/watch-changes.ts";
import { hashId } from "./line-table.ts";
import { readVisited } from "./stream-entries.ts";
import type { Rejection } from "./rejection.ts";

export type FollowEvent =
  | { kind: "entry"; entry: Entry; offset: number }
  | { kind: "rejection"; rejection: Rejection }
  /** The file was cut or rewritten: what was given from byte `to` on is no longer there. */
  | { kind: "rewound"; to: number };

export interface FollowOptions {
  signal: AbortSignal;
  /** The byte to start at, the start of a line. Default 0; pass the file's size to see only what is new. */
  from?: number | undefined;
}

/**
 * The lines of a growing transcript: those that are there, then each as it is written, until the signal. A
 * consumer that drops what a `rewound` takes back holds at every moment what reading the file whole would give.
 * A file that does not exist yet is waited for; one that is removed is a file of no bytes.
 */
export async function* followTranscript(
  file: string,
  { signal, from = 0 }: FollowOptions,
): AsyncGenerator<FollowEvent> {
  const follower = new Follower(file, from);
  const changes = watchChanges([{ path: path.dirname(file) }, { path: file }], {
    checkMs: followCheckMs,
    signal,
  });
  try {
    while (!signal.aborted) {
      yield* follower.catchUp();
      await changes.next();
    }
  } finally {
    changes.close();
  }
}

interface SeenLine {
  offset: number;
  length: number;
  digest: string;
  terminated: boolean;
}

class Follower {
  readonly #file: string;
  readonly #from: number;
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

  /** Everything that the file holds now and that was not given yet. */
  *catchUp(): Generator<FollowEvent> {
    const fd = this.#open();
    if (fd === undefined) {
      if (this.#at > this.#from) yield this.#rewind(this.#from);
      return;
    }
    try {
      const place = this.#place(fd);
      if (place < this.#at) yield this.#rewind(place);
      yield* this.#read(fd);
    } finally {
      fs.closeSync(fd);
    }
  }

  #open(): number | undefined {
    try {
      return fs.openSync(this.#file, "r");
    } catch {
      return undefined;
    }
  }

  // How much of what was given still stands: all of it, up to some line, or nothing.
  #place(fd: number): number {
    const { size, ino } = fs.fstatSync(fd);
    const isSameFile = ino === this.#inode || this.#inode === 0;
    this.#inode = ino;
    const last = this.#seen.at(-1);
    if (last === undefined) return Math.min(this.#at, size);
    for (let i = this.#seen.length - 1; i >= 0; i--) {
      const line = this.#seen[i]!;
      const end = line.offset + line.length + (line.terminated ? 1 : 0);
      if (end > size || digestOf(fd, line) !== line.digest || isGlued(fd, line)) continue;
      // A new file with the same last line may differ before it; only the old file's beginning is known to stand.
      return isSameFile ? end : this.#from;
    }
    return this.#from;
  }

  #rewind(to: number): FollowEvent {
    this.#at = to;
    this.#seen = this.#seen.filter(({ offset }) => offset < to);
    return { kind: "rewound", to };
  }

  *#read(fd: number): Generator<FollowEvent> {
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
    for (let isMore = true; isMore;) {
      isMore = scanner.next(visit);
      yield* events;
      events = [];
    }
  }

  #remember(bytes: Buffer, { offset, length, terminated, oversized }: LinePosition): void {
    if (oversized) return;
    this.#seen.push({ offset, length, terminated, digest: digest(bytes) });
    if (this.#seen.length > followedLinesMax) this.#seen.splice(0, this.#seen.length - followedLinesMax);
  }
}

// A line given without its newline, to which something else was written since, is another line now.
function isGlued(fd: number, { offset, length, terminated }: SeenLine): boolean {
  if (terminated) return false;
  const [next] = readBytes(fd, { offset: offset + length, length: 1 });
  return next !== undefined && next !== 10;
}

function digestOf(fd: number, { offset, length }: SeenLine): string {
  return digest(readBytes(fd, { offset, length }));
}

function digest(bytes: Uint8Array): string {
  return hashId(bytes).toString(36);
}
