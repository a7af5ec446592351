import fs from "node:fs";
import { isJsonObject } from "../../format/json-object.ts";
import { codeOf } from "../../lib/errors.ts";
import { glanceAtFacts } from "./glance-facts.ts";
import type { IndexTrouble } from "../index/derived-index.ts";
import { FileValues, type KeptValue } from "../index/file-values.ts";
import { gatherFacts, type SessionFacts } from "./session-facts.ts";
import type { TranscriptFile } from "./transcript-files.ts";

export interface KnownFactsOptions {
  /** Where facts are kept; without it every file is read. */
  indexDir?: string | undefined;
  onIndexTrouble?: ((trouble: IndexTrouble) => void) | undefined;
}

/** The facts of sessions: from the index where it knows a file as it is, otherwise from the file. Close it. */
export class KnownFacts {
  readonly #values: FileValues | undefined;

  constructor({ indexDir, onIndexTrouble }: KnownFactsOptions) {
    if (indexDir !== undefined)
      this.#values = new FileValues(indexDir, "listing", { onTrouble: onIndexTrouble });
  }

  /** Reads what is kept of the files below a folder at once, which takes a tenth of asking for each. */
  readBelow(dir: string): void {
    this.#values?.readBelow(dir);
  }

  /** What is known of a file, which may be no more than its name; undefined when it is gone. Each is asked for once. */
  of(file: TranscriptFile, { counts }: { counts: boolean }): Partial<SessionFacts> | undefined {
    const kept = this.#values?.find(file);
    if (kept?.isCurrent && isFacts(kept.value)) return kept.value;
    let fd: number;
    try {
      fd = fs.openSync(file.path, "r");
    } catch (error) {
      // Gone since the folder was read, or not ours to read: still there for the list, with what the folder knows.
      return codeOf(error) === "ENOENT" ? undefined : {};
    }
    try {
      return counts ? this.#gather(file.path, fd, kept) : glanceAtFacts(fd, file.bytes);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** Keeps what was gathered, and forgets files that are gone if all that are there were asked for. */
  keep(options: { wereAllAsked: boolean }): void {
    this.#values?.keep(options);
  }

  close(): void {
    this.#values?.close();
  }

  #gather(file: string, fd: number, kept: KeptValue | undefined): SessionFacts {
    const known =
      kept && isFacts(kept.value) && this.#values!.isBeginning(kept, fd)
        ? { facts: kept.value, to: kept.to }
        : undefined;
    const { facts, coverage } = gatherFacts(fd, known);
    this.#values?.set(file, coverage, facts);
    return facts;
  }
}

function isFacts(value: unknown): value is SessionFacts {
  const { messageCount, inlineAgents } = isJsonObject(value) ? value : {};
  return typeof messageCount === "number" && typeof inlineAgents === "number";
}
