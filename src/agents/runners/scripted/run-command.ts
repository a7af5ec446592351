import { spawn } from "node:child_process";
import { signalGroup } from "../agent-process.ts";

/** Runs a command to its end; its output, stdout and stderr together. The signal kills it with everything that it started. */
export function runCommand(
  command: string,
  {
    cwd,
    env,
    signal,
    onOutput,
  }: {
    cwd: string;
    env: Readonly<Record<string, string | undefined>>;
    signal: AbortSignal;
    onOutput: (chunk: Buffer) => void;
  },
): Promise<{ text: string; exitCode: number }> {
  return new Promise((resolve, reject) => {
    // In a group of its own, which is signalled as a whole.
    const child = spawn("/bin/sh", ["-c", command], {
      cwd,
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const kill = (): void => {
      signalGroup(child.pid, "SIGKILL");
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", kill, { once: true });
    const over = (): void => signal.removeEventListener("abort", kill);
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        onOutput(Buffer.from(piece));
      });
    child.on("error", (error) => {
      over();
      reject(error);
    });
    child.on("close", (code) => {
      over();
      resolve({ text, exitCode: code ?? 1 });
    });
    if (signal.aborted) kill();
  });
}
