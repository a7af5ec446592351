import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { commandMarker } from "../../../../format/command-marker.ts";
import { commandDrainMs, commandGraceMs, commandOutputBytesMax } from "./limits.ts";
import { stopKillWaitMs } from "../../../../lib/limits.ts";
import { HeadTailBuffer } from "../../../../lib/head-tail-buffer.ts";
import { endProcessTree } from "../../../../lib/process-tree.ts";

export interface CommandPlace {
  shell: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  timeoutMs: number;
  signal: AbortSignal;
  /** Told of what it prints while it runs. */
  onOutput?: ((chunk: Buffer, stream: "stdout" | "stderr") => void) | undefined;
}

export interface CommandEnd {
  /** Head and tail, when there was too much. */
  stdout: string;
  stderr: string;
  /** Something of what it printed is left out here. */
  isCut: boolean;
  exitCode: number | null;
  exitSignal: NodeJS.Signals | null;
  /** Why it was stopped, when it did not end by itself. */
  stoppedBy?: "timeout" | "abort";
}

/**
 * Runs a command in the foreground. Stopped by its timeout or the signal, it leaves nothing running but the tasks it
 * launched. What a command that ended by itself left in the background lives on; nobody waits for it, and what it prints
 * is passed over.
 */
export async function runCommand(command: string, place: CommandPlace): Promise<CommandEnd> {
  const { shell, cwd, env, timeoutMs, signal } = place;
  signal.throwIfAborted();
  const marker = { name: commandMarker, value: randomUUID() };
  const child = spawn(shell, ["-c", command], {
    cwd,
    env: { ...env, SHELL: shell, GIT_EDITOR: "true", [marker.name]: marker.value },
    stdio: ["ignore", "pipe", "pipe"],
    // A session and a group of its own: what it does to its terminal or its group stays with it.
    detached: true,
  });
  const stdout = collect(child.stdout, (chunk) => place.onOutput?.(chunk, "stdout"));
  const stderr = collect(child.stderr, (chunk) => place.onOutput?.(chunk, "stderr"));
  const closed = once(child, "close");
  const exited = once(child, "exit") as Promise<Exit>;
  // A shell that cannot be started has an error and no end; both promises fail with it, and one is enough.
  closed.catch(() => {});
  const stoppedBy = await untilExitOr({ exited, timeoutMs, signal });
  if (stoppedBy)
    await endProcessTree(
      { pid: child.pid!, marker },
      { graceMs: commandGraceMs, deadlineMs: stopKillWaitMs },
    );
  // Only a process that not even KILL ends has no exit now.
  const [exitCode, exitSignal] = await Promise.race([
    exited,
    ...(stoppedBy ? [drained<Exit>([null, null])] : []),
  ]);
  await Promise.race([closed, drained(undefined)]);
  for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
  return {
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    isCut: [stdout, stderr].some(({ totalBytes }) => totalBytes > commandOutputBytesMax),
    exitCode,
    exitSignal,
    ...(stoppedBy && { stoppedBy }),
  };
}

type Exit = [code: number | null, signal: NodeJS.Signals | null];

function drained<T>(value: T): Promise<T> {
  return wait(commandDrainMs, value, { ref: false });
}

async function untilExitOr({
  exited,
  timeoutMs,
  signal,
}: {
  exited: Promise<Exit>;
  timeoutMs: number;
  signal: AbortSignal;
}): Promise<CommandEnd["stoppedBy"]> {
  const over = new AbortController();
  const timeout = wait(timeoutMs, "timeout" as const, { signal: over.signal });
  const abort = once(signal, "abort", { signal: over.signal }).then(() => "abort" as const);
  for (const waiting of [timeout, abort]) waiting.catch(() => {});
  try {
    return await Promise.race([exited.then(() => undefined), timeout, abort]);
  } finally {
    over.abort();
  }
}

function collect(stream: NodeJS.ReadableStream, onChunk: (chunk: Buffer) => void): HeadTailBuffer {
  const buffer = new HeadTailBuffer({ bytesMax: commandOutputBytesMax });
  stream.on("data", (chunk: Buffer) => {
    buffer.push(chunk);
    onChunk(chunk);
  });
  return buffer;
}
