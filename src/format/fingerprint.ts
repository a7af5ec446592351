/** What a fingerprint is made of. */
export interface Work {
  kind: "local_bash" | "local_agent" | "remote_agent";
  /** The whole prompt of an agent, or the command. */
  text: string;
  cwd: string;
}

/**
 * Equal for the same work, whoever launches it: command or agent, words, folder. A prompt may be wrapped in any way; in a command
 * line breaks divide commands. 64 bits, not a secret: two different works with one fingerprint would cost a needless warning.
 * (node:crypto would cost every hook 8 ms.)
 */
export function fingerprint({ kind, text, cwd }: Work): string {
  const what = kind === "local_bash" ? kind : "local_agent";
  const words = `${what}\n${cwd}\n${kind === "local_bash" ? linesOf(text) : text.replace(/\s+/g, " ").trim()}`;
  return hex(fnv1a(words, 0x811c9dc5)) + hex(fnv1a(words, 0x9747b28c));
}

function linesOf(command: string): string {
  return command
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim();
}

// FNV-1a over UTF-16 units, both bytes of each.
function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return hash >>> 0;
}

function hex(hash: number): string {
  return hash.toString(16).padStart(8, "0");
}
