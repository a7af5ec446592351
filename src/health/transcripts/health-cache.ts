import fs from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../format/json-object.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import type { AnyTranscript } from "../../store/all-transcripts.ts";
import type { TranscriptDefect } from "./transcript-defect.ts";

const VERSION = 1;

interface Remembered {
  inode: number;
  bytes: number;
  mtimeMs: number;
  defects: TranscriptDefect[];
}

/** What was found in each transcript, while it is exactly the file it was. Only a cache: losing it costs a look. */
export class HealthCache {
  readonly #file: string;
  readonly #known: Map<string, Remembered>;
  #isDirty = false;

  constructor(indexDir: string) {
    this.#file = path.join(indexDir, "health.json");
    this.#known = readCache(this.#file);
  }

  find({ path: file, inode, bytes, mtimeMs }: AnyTranscript): TranscriptDefect[] | undefined {
    const known = this.#known.get(file);
    const isSame = known?.inode === inode && known.bytes === bytes && known.mtimeMs === mtimeMs;
    return isSame ? known.defects : undefined;
  }

  set({ path: file, inode, bytes, mtimeMs }: AnyTranscript, defects: TranscriptDefect[]): void {
    this.#known.set(file, { inode, bytes, mtimeMs, defects });
    this.#isDirty = true;
  }

  /** Writes it, without files that are gone. Never fails: it is a cache. */
  keep(present: ReadonlySet<string>): void {
    if (!this.#isDirty) return;
    const files = [...this.#known].filter(([file]) => present.has(file));
    try {
      ensurePrivateDir(path.dirname(this.#file));
      writeFileAtomic(this.#file, JSON.stringify({ version: VERSION, files: Object.fromEntries(files) }));
    } catch {
      /* A full or read-only disk costs the next run a look, nothing else. */
    }
  }
}

function readCache(file: string): Map<string, Remembered> {
  try {
    const cache = JSON.parse(fs.readFileSync(file, "utf8")) as { version: number; files: unknown };
    if (cache.version !== VERSION || !isJsonObject(cache.files)) return new Map();
    return new Map(Object.entries(cache.files) as [string, Remembered][]);
  } catch {
    return new Map();
  }
}
