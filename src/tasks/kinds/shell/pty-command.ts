import { fileURLToPath } from "node:url";
import { shellQuote } from "../../../lib/shell-quote.ts";
import type { TaskFiles } from "../../record/task-files.ts";

/** What the supervisor runs for a task with a terminal: a small host process that owns the pseudo-terminal. */
export function ptyCommand(
  files: TaskFiles,
  { shell, command }: { shell: string; command: string },
): { shell: string; command: string } {
  const host = fileURLToPath(
    new URL(import.meta.url.endsWith(".ts") ? "./pty-host.ts" : "./pty-host.js", import.meta.url),
  );
  const words = [
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    host,
    `${files.base}.pty`,
    shell,
    command,
  ];
  return { shell: "/bin/sh", command: `exec ${words.map(shellQuote).join(" ")}` };
}
