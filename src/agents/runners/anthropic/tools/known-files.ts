import type { BigIntStats } from "node:fs";
import fs from "node:fs/promises";

/**
 * Which files the model has seen, and in which state: it may change only what it knows. Kept for one run; an agent that
 * is continued looks again.
 */
export class KnownFiles {
  readonly #states = new Map<string, string>();

  remember(file: string, state: string): void {
    this.#states.set(file, state);
  }

  /** Why the file must be read before it is changed; undefined when the model knows it as it is now. */
  whyUnknown(file: string, state: string): string | undefined {
    const known = this.#states.get(file);
    if (known === undefined) return `"${file}" has not been read yet; read it first`;
    return known === state ? undefined : `"${file}" has changed since it was read; read it again`;
  }
}

/** Differs whenever somebody has written the file, or put another in its place. */
export function fileState({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs].join(" ");
}

export async function readFileState(file: string): Promise<string> {
  return fileState(await fs.stat(file, { bigint: true }));
}
