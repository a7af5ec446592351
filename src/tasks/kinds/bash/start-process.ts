import { spawn } from "node:child_process";
import { taskError } from "../../errors.ts";

export interface StartRequest {
  script: string;
  args: string[];
  cwd: string;
  env: Record<string, string>;
  stdio: [number, number, number];
  /** The same files by name, for a starter in another process. */
  paths: { stdin: string; stdout: string; stderr: string };
}

/** Starts a detached `sh` in a session of its own; resolves once it runs. */
export type ProcessStarter = (request: StartRequest) => Promise<void>;

/** Starts it from this process: simple, but blocks the event loop in proportion to this process's memory. */
export const startBySpawn: ProcessStarter = ({ script, args, cwd, env, stdio }) =>
  new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", script, "holdfast-supervisor", ...args], {
      cwd,
      env,
      stdio,
      detached: true,
    });
    child.once("error", (cause) =>
      reject(taskError("launch_failed", `Cannot start supervisor: ${cause.message}`, { cause })),
    );
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
  });
