import fs from "node:fs";

let text: string | undefined;

/** The supervisor's script, read once: tasks are started with the text, never with the path. */
export function supervisorText(): string {
  text ??= fs.readFileSync(new URL("./supervisor.sh", import.meta.url), "utf8");
  return text;
}
