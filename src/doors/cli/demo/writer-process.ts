import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { WriterProcess } from "./scene.ts";

export interface WriterProcessOptions {
  /** Where the process is noted while it runs. */
  children: Set<ChildProcess>;
  home: string;
  configDir: string;
  cwd: string;
  sessionId: string;
}

const file = import.meta.url.endsWith(".ts")
  ? new URL("./writer-child.ts", import.meta.url)
  : new URL("./writer-child.js", import.meta.url);

export function startWriterProcess({
  children,
  home,
  configDir,
  cwd,
  sessionId,
}: WriterProcessOptions): WriterProcess {
  const args = [
    "--disable-warning=ExperimentalWarning",
    fileURLToPath(file),
    home,
    configDir,
    cwd,
    sessionId,
  ];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"] });
  children.add(child);
  child.stdin.on("error", () => {});
  const acknowledged: string[] = [];
  let torn: number | undefined;
  let complaint = "";
  let wake = (): void => {};
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [word, value = ""] = line.split(" ");
    if (word === "acknowledged") acknowledged.push(value);
    if (word === "torn") torn = Number(value);
    wake();
  });
  child.stderr.on("data", (data: Buffer) => (complaint += data.toString()));
  let isEnded = false;
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      children.delete(child);
      isEnded = true;
      wake();
      resolve();
    });
  });

  async function until(isReached: () => boolean): Promise<void> {
    while (!isReached()) {
      if (isEnded)
        throw new Error(`The writer ended by itself: ${complaint.trim().split("\n").at(-1) ?? ""}`);
      await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    pid: child.pid ?? 0,
    acknowledged,
    waitFor: (count) => until(() => acknowledged.length >= count),
    async tearLine() {
      child.stdin.write("tear\n");
      await until(() => torn !== undefined);
      return torn ?? 0;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
