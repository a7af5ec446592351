import fs from "node:fs";
import { hasProc } from "../../lib/process-table.ts";

// In the order in which they are read; the last one begins.
const parts = ["take-charge", "end", "run", "look", "wait", "watch", "wake", "queue", "supervise"];

let text: string | undefined;

/** The supervisor's script, for what this system shows of its processes. Tasks are started with the text, never with the path. */
export function supervisorText(): string {
  const table = hasProc() ? "table-proc" : "table-ps";
  text ??= [table, ...parts]
    .map((name) => fs.readFileSync(new URL(`./sh/${name}.sh`, import.meta.url), "utf8"))
    .join("");
  return text;
}
