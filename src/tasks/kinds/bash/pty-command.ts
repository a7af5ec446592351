import { fileURLToPath } from "node:url";
import type { TaskFiles } from "../../task-files.ts";
import type { TaskRecord } from "../../task-record.ts";

/** What the supervisor runs for a task with a terminal: a small host process that owns the pseudo-terminal. */
export function ptyCommand(files: TaskFiles, record: TaskRecord): { shell: string; command: string } {
  const host = fileURLToPath(
    new URL(import.meta.url.endsWith(".ts") ? "./pty-host.ts" : "./pty-host.js", import.meta.url),
  );
  const words = [
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    host,
    `${files.base}.pty`,
    record.shell.shell,
    record.command,
  ];
  return { shell: "/bin/sh", command: `exec ${words.map(quote).join(" ")}` };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
