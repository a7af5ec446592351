import fs from "node:fs/promises";

/**
 * Which files the model has seen, and in which state: it may change only what it knows. Kept for one run; an agent that
 * is continued looks again.
 */
export class KnownFiles {
  readonly #states = new Map<string, string>();

  async remember(file: string): Promise<void> {
    this.#states.set(file, await stateOf(file));
  }

  /** Why the file must be read before it is changed; undefined when the model knows it as it is. */
  async whyUnknown(file: string): Promise<string | undefined> {
    const known = this.#states.get(file);
    if (known === undefined) return `"${file}" has not been read yet; read it first`;
    if (known !== (await stateOf(file))) return `"${file}" has changed since it was read; read it again`;
    return undefined;
  }
}

async function stateOf(file: string): Promise<string> {
  const { dev, ino, size, mtimeNs } = await fs.stat(file, { bigint: true });
  return [dev, ino, size, mtimeNs].join(" ");
}
