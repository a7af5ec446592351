import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../format/json-object.ts";
import { writeFileAtomic } from "../lib/atomic-write.ts";
import { ensurePrivateDir } from "../lib/private-dir.ts";
import { compareCoverage } from "./file-coverage.ts";
import { gatherFacts, type SessionFacts } from "./session-facts.ts";
import type { TranscriptFile } from "./transcript-files.ts";

const VERSION = 1;

interface CacheFile {
  version: number;
  sessions: Record<string, SessionFacts>;
}

/**
 * Session facts by file, kept in one small file so that a list of thousands costs one read and a stat each.
 * Only a cache: several processes may keep it at once and the last one wins; losing it costs a scan.
 */
export class ListingCache {
  readonly #file: string | undefined;
  #sessions: Record<string, SessionFacts>;
  #isEmpty: boolean;
  #isDirty = false;

  /** Without an index folder nothing is kept. */
  constructor(indexDir: string | undefined) {
    this.#file = indexDir && path.join(indexDir, "sessions.json");
    this.#sessions = this.#file ? readCache(this.#file) : {};
    this.#isEmpty = isEmpty(this.#sessions);
  }

  /** What is known without opening the file, if the file is exactly as it was then. */
  findCurrent({ path: file, bytes, mtimeMs, inode }: TranscriptFile): SessionFacts | undefined {
    const facts = this.#known(file);
    const covered = facts?.coverage;
    return covered?.inode === inode && covered.size === bytes && covered.mtimeMs === mtimeMs
      ? facts
      : undefined;
  }

  /** The facts of an open transcript: kept ones, carried on if it grew, gathered anew if it changed. */
  gather(file: string, fd: number): SessionFacts {
    const known = this.#known(file);
    const state = known ? compareCoverage(fd, known.coverage) : "changed";
    if (known && state === "current") return known;
    const facts = gatherFacts(fd, state === "grown" ? known : undefined);
    this.#sessions[file] = facts;
    this.#isEmpty = false;
    this.#isDirty = true;
    return facts;
  }

  #known(file: string): SessionFacts | undefined {
    // To look for thousands of paths takes long even where there is nothing to be found.
    if (this.#isEmpty) return undefined;
    const facts = this.#sessions[file];
    return isJsonObject(facts?.coverage) ? facts : undefined;
  }

  /** Writes what was gathered, without the sessions that `isGone` names. Never fails: it is a cache. */
  keep(isGone: (file: string) => boolean): void {
    if (!this.#file || !this.#isDirty) return;
    const sessions = Object.fromEntries(Object.entries(this.#sessions).filter(([file]) => !isGone(file)));
    try {
      ensurePrivateDir(path.dirname(this.#file));
      writeFileAtomic(this.#file, JSON.stringify({ version: VERSION, sessions } satisfies CacheFile));
      this.#isDirty = false;
    } catch {
      /* A full or read-only disk costs the next list a scan, nothing else. */
    }
  }
}

function isEmpty(sessions: object): boolean {
  for (const _ in sessions) return false;
  return true;
}

function readCache(file: string): Record<string, SessionFacts> {
  // To make an error of it would take longer than to look.
  if (!fs.existsSync(file)) return {};
  try {
    const cache = JSON.parse(fs.readFileSync(file, "utf8")) as CacheFile;
    return cache.version === VERSION && isJsonObject(cache.sessions) ? cache.sessions : {};
  } catch {
    return {};
  }
}
