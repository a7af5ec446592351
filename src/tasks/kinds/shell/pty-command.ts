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
    files.endingDraft,
    shell,
    command,
  ];
  return { shell: "/bin/sh", command: `exec ${words.map(shellQuote).join(" ")}` };
}

/** Why this installation can give no task a terminal; undefined when it can. The package is optional: it is not for every machine. */
export function whyNoTerminal(): string | undefined {
  const { createRequire } = process.getBuiltinModule("node:module");
  try {
    const found = createRequire(import.meta.url).resolve("@lydell/node-pty");
    createRequire(found).resolve(`@lydell/node-pty-${process.platform}-${process.arch}/package.json`);
    return undefined;
  } catch {
    return "a terminal needs the package @lydell/node-pty, which is not installed for this machine; npm install @lydell/node-pty";
  }
}
