import type { ByteSink } from "./standard-streams.ts";

/** Where a command writes its data. Collects small pieces and waits for the reader, so memory stays bounded. */
export interface Output {
  /** Resolves when there is room for more. */
  write(text: string | Uint8Array): Promise<void>;
  flush(): Promise<void>;
  /** Whether anything was written: after that, an error can no longer be the only thing on the stream. */
  readonly isUsed: boolean;
}

const PIECE_BYTES = 64 * 1024;

export function openOutput(stream: ByteSink): Output {
  let pieces: (string | Uint8Array)[] = [];
  let size = 0;
  let isUsed = false;

  async function flush(): Promise<void> {
    if (pieces.length === 0) return;
    const bytes = Buffer.concat(
      pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece)),
    );
    pieces = [];
    size = 0;
    isUsed = true;
    // A closed pipe ends the process (standard-streams.ts); any other failure is the command's.
    await new Promise<void>((resolve, reject) => {
      stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    // Writes to files and pipes block; in between, Ctrl+C must get its turn.
    await new Promise(setImmediate);
  }

  return {
    async write(text) {
      pieces.push(text);
      size += text.length;
      if (size >= PIECE_BYTES) await flush();
    },
    flush,
    get isUsed() {
      return isUsed || pieces.length > 0;
    },
  };
}

/** Writes each line with a newline, in pieces: to wait for each of thousands would take longer than to write them. */
export async function writeLines(output: Output, lines: Iterable<string>): Promise<void> {
  let piece = "";
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE_BYTES) continue;
    await output.write(piece);
    piece = "";
  }
  await output.write(piece);
  await output.flush();
}
