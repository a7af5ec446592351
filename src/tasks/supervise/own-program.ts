import { fileURLToPath } from "node:url";
import type { TaskFiles } from "../record/task-files.ts";

/** Starts a program of ours that looks after one task: the program and its arguments. */
export function ownProgram(
  name: "agent-host" | "fleet-follower",
  { projectKey, id }: TaskFiles,
  { home, configDir }: { home: string; configDir: string },
): [string, ...string[]] {
  // From source it is a program of the command line; in the package all programs are beside each other.
  const program = import.meta.url.endsWith(".ts") ? `../../programs/${name}.ts` : `./${name}.js`;
  const file = fileURLToPath(new URL(program, import.meta.url));
  return [process.execPath, "--disable-warning=ExperimentalWarning", file, home, configDir, projectKey, id];
}
