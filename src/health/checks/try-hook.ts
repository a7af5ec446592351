import { spawn } from "node:child_process";
import { hookTrialMsMax } from "./limits.ts";
import { oneLine } from "../../format/short-text.ts";

/** A hook as the client's settings have it: a program with its arguments, or a line for a shell. */
export interface TriedHook {
  command: string;
  args: readonly string[] | undefined;
}

/** What went wrong with a hook that was run as a client runs it; undefined when it did what it should. */
export async function tryHook({ command, args }: TriedHook, cwd: string): Promise<string | undefined> {
  const child = spawn(command, args ?? [], {
    shell: args === undefined,
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    timeout: hookTrialMsMax,
    killSignal: "SIGKILL",
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (said = (said + text.toString()).slice(0, 1000)));
  child.stdin.on("error", () => {});
  // An event that no client has, so that nothing is recorded and nothing is told.
  child.stdin.end(`${JSON.stringify({ session_id: "doctor", cwd, hook_event_name: "Doctor" })}\n`);
  const came = await new Promise<string | undefined>((resolve) => {
    child.on("error", (error) => resolve(`it cannot be started: ${error.message}`));
    child.on("close", (code, signal) => {
      if (signal !== null) resolve(`it did not end within ${hookTrialMsMax / 1000} s`);
      else resolve(code === 0 ? undefined : `it ended with ${code}`);
    });
  });
  const words = oneLine(said).trim();
  if (came !== undefined) return words === "" ? came : `${came}: ${words.slice(0, 200)}`;
  return words === "" ? undefined : `it said to the model: ${words.slice(0, 200)}`;
}
