import fs from "node:fs";

// In the order in which they are read; the last one begins.
const parts = ["table-proc", "take-charge", "end", "run", "look", "wait", "watch", "queue", "supervise"];

let text: string | undefined;

/** The supervisor's script. Tasks are started with the text, never with the path. */
export function supervisorText(): string {
  text ??= parts.map((name) => fs.readFileSync(new URL(`./sh/${name}.sh`, import.meta.url), "utf8")).join("");
  return text;
}
