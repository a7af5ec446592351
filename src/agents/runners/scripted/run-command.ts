import { spawn } from "node:child_process";

/** Runs a command to its end; its output, stdout and stderr together. The signal kills it. */
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
    const child = spawn("/bin/sh", ["-c", command], {
      cwd,
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
      signal,
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
        onOutput(Buffer.from(piece));
      });
    child.on("error", reject);
    child.on("close", (code) => resolve({ text, exitCode: code ?? 1 }));
  });
}
