import fs from "node:fs";

/** What Output needs of a stream. */
export interface ByteSink {
  write(bytes: Uint8Array, done: (error?: Error | null) => void): unknown;
}

/**
 * Standard output or error. Node's own streams take longer to load than most commands take to run; a file or a pipe
 * needs nothing of them, for Node, too, waits until each write is done.
 */
export function standardStream(name: "stdout" | "stderr"): ByteSink {
  const fd = name === "stdout" ? 1 : 2;
  if (mayBeTerminal(fd)) return process[name];
  return { write: (bytes, done) => writePlainly(bytes, { name, fd, done }) };
}

/** Whether it is worth asking Node: what is no device, or the empty one, is no terminal. */
export function mayBeTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const stat = fs.fstatSync(fd);
    return stat.isCharacterDevice() && stat.rdev !== fs.statSync("/dev/null").rdev;
  } catch {
    // Closed, or no such device on this system: Node knows how to say so.
    return true;
  }
}

interface PlainWrite {
  name: "stdout" | "stderr";
  fd: number;
  done: (error?: Error | null) => void;
}

function writePlainly(bytes: Uint8Array, { name, fd, done }: PlainWrite): void {
  let written = 0;
  try {
    while (written < bytes.length) written += fs.writeSync(fd, bytes, written);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Somebody made the pipe one that does not wait; Node's stream does.
    if (code === "EAGAIN") return void process[name].write(bytes.subarray(written), done);
    if (isReaderGone(error)) endQuietly();
    return done(error as Error);
  }
  done();
}

/**
 * `holdfast show … | head`: a reader that has seen enough is no failure, and nobody is left to be told. Node's streams
 * are not loaded for it, but listened to once somebody uses them.
 */
export function endQuietlyWithReader(): void {
  for (const name of ["stdout", "stderr"] as const) {
    const original = Object.getOwnPropertyDescriptor(process, name)!;
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get() {
        Object.defineProperty(process, name, original);
        // Any other failure is told to the callback of the write that failed.
        return process[name].on("error", (error: NodeJS.ErrnoException) => {
          if (isReaderGone(error)) endQuietly();
        });
      },
    });
  }
}

// A write that waits in a socket, which is what Node gives its children for a pipe, hears of a reset instead.
export function isReaderGone(error: unknown): boolean {
  return ["EPIPE", "ECONNRESET"].includes((error as NodeJS.ErrnoException).code ?? "");
}

function endQuietly(): never {
  process.exit(process.exitCode ?? 0);
}
