import { fileURLToPath } from "node:url";
import { shellQuote } from "../../../lib/shell-quote.ts";
import type { Launch } from "../../launch-task.ts";
import type { TaskFiles } from "../../task-files.ts";

/** What the supervisor runs for an agent: a process of its own that hosts it. */
export function hostCommand(
  files: TaskFiles,
  { home, configDir }: { home: string; configDir: string },
): Launch["supervised"] {
  // From source it is a program of the command line; in the package all programs are beside each other.
  const program = import.meta.url.endsWith(".ts") ? "../../../cli/agent-host.ts" : "./agent-host.js";
  const words = [
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(new URL(program, import.meta.url)),
    home,
    configDir,
    files.projectKey,
    files.id,
  ];
  return { shell: "/bin/sh", command: `exec ${words.map(shellQuote).join(" ")}` };
}
