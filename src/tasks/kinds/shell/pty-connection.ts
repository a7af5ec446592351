import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { hasProc } from "../../../lib/process-table.ts";
import { taskError } from "../../errors.ts";

/** What a client tells the host of a terminal. Only one that attached is sent the output. */
export type PtyMessage = { attach: true } | { input: string } | { resize: { columns: number; rows: number } };

export interface PtyConnection {
  readonly socket: net.Socket;
  send(message: PtyMessage): Promise<void>;
  close(): void;
}

/**
 * Connects to the host of a task's terminal: messages go in as lines of JSON. To `attach` it answers with a line of JSON
 * (`from`, where the output stands), then with raw output.
 */
export async function connectPty(base: string): Promise<PtyConnection> {
  const { path: short, close: closeDir } = shortSocketPath(base);
  const socket = net.connect(short);
  try {
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  } catch (cause) {
    socket.destroy();
    throw taskError("no_stdin", `Cannot reach the terminal of task "${path.basename(base)}": it has ended`, {
      cause,
    });
  } finally {
    closeDir();
  }
  return {
    socket,
    send: (message) =>
      new Promise((resolve, reject) =>
        socket.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
      ),
    // Not before everything is sent, and without waiting for a host that may be suspended.
    close: () => void socket.end(() => socket.destroy()),
  };
}

/**
 * The socket of a task's terminal by a path that fits: an address holds some 100 characters, a project's folder alone
 * may have 200. The folder is opened and named by its descriptor; without /proc it gets a short link for the moment.
 */
export function shortSocketPath(base: string): { path: string; close: () => void } {
  const [dir, name] = [path.dirname(base), `${path.basename(base)}.pty`];
  if (!hasProc()) {
    const short = fs.mkdtempSync(path.join(os.tmpdir(), "hf-"));
    fs.symlinkSync(dir, path.join(short, "d"));
    return { path: path.join(short, "d", name), close: () => fs.rmSync(short, { recursive: true }) };
  }
  const fd = fs.openSync(dir, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${fd}/${name}`, close: () => fs.closeSync(fd) };
}
