import { ask } from "../api/ask.ts";
import type { Answer } from "../api/route-shapes.ts";
import { onEvent } from "../live/event-bus.ts";
import { watchOutput } from "../live/watches.ts";
import { OutputBuffer } from "./output-buffer.ts";

export type StreamName = "stdout" | "stderr";
type Window = Answer<"GET /api/tasks/{id}/output">;

const WINDOW_BYTES = 256 * 1024;
const FIRST_BYTES = 64 * 1024;

/** One stream of a task: reads the parts that are wanted, and takes what is written meanwhile. */
export class OutputSource {
  readonly buffer = new OutputBuffer();
  /** Of the whole stream. */
  bytes = 0;
  cutBytes = 0;
  isMissing = false;
  /** Bytes that came while the reader was elsewhere. */
  unread = 0;
  readonly #task: string;
  readonly #stream: StreamName;
  readonly #onChange: () => void;
  readonly #ends: (() => void)[] = [];
  readonly #stop = new AbortController();
  #reading: Promise<void> | undefined;

  constructor(task: string, stream: StreamName, onChange: () => void) {
    this.#task = task;
    this.#stream = stream;
    this.#onChange = onChange;
  }

  get hasStart(): boolean {
    return this.buffer.from <= this.cutBytes;
  }

  get hasEnd(): boolean {
    return this.buffer.to >= this.bytes;
  }

  async open(from?: number): Promise<void> {
    const window = await this.#read(
      from === undefined ? { bytes: FIRST_BYTES } : { from, bytes: FIRST_BYTES },
    );
    this.#replace(window);
    if (this.#stop.signal.aborted) return;
    const { task, stream } = { task: this.#task, stream: this.#stream };
    this.#ends.push(
      onEvent("output", (told) => {
        if (told.task === task && told.stream === stream) this.#take(told);
      }),
      watchOutput(() => ({ task, stream, from: this.bytes })),
    );
  }

  close(): void {
    this.#stop.abort();
    for (const end of this.#ends) end();
  }

  /** Reads on at an end that is in sight; one read at a time. */
  extend(where: "start" | "end"): Promise<void> {
    const isDone = where === "start" ? this.hasStart : this.hasEnd;
    if (isDone || this.#reading) return this.#reading ?? Promise.resolve();
    const { from, to } = this.buffer;
    const wanted = where === "start" ? { end: from, bytes: WINDOW_BYTES } : { from: to, bytes: WINDOW_BYTES };
    return this.#once(async () => {
      const window = await this.#read(wanted);
      if (where === "start") this.buffer.prepend(window);
      else this.buffer.append(window);
    });
  }

  /** Goes to a byte, with some of what is before it. */
  goTo(byte: number): Promise<void> {
    const from = Math.max(this.cutBytes, Math.floor(byte) - FIRST_BYTES / 4);
    return this.#once(async () => this.#replace(await this.#read({ from, bytes: FIRST_BYTES })));
  }

  goToEnd(): Promise<void> {
    if (this.hasEnd) return Promise.resolve();
    return this.#once(async () => this.#replace(await this.#read({ bytes: FIRST_BYTES })));
  }

  async #once(read: () => Promise<void>): Promise<void> {
    await this.#reading?.catch(() => {});
    this.#reading = read().finally(() => {
      this.#reading = undefined;
      this.#onChange();
    });
    return this.#reading;
  }

  #replace(window: Window): void {
    this.buffer.replace(window);
    this.#onChange();
  }

  #take({ from, to, bytes, text }: { from: number; to: number; bytes: number; text: string }): void {
    const wasAtEnd = this.hasEnd;
    this.unread += Math.max(0, bytes - this.bytes);
    this.bytes = bytes;
    // Elsewhere in the output, or after a jump of a reader that was too slow: what lies between is read when it is wanted.
    if (wasAtEnd && !this.buffer.append({ from, to, text })) void this.goToEnd();
    this.#onChange();
  }

  async #read(wanted: { from?: number; end?: number; bytes: number }): Promise<Window> {
    const query = { stream: this.#stream, ...wanted };
    const window = await ask(
      "GET /api/tasks/{id}/output",
      { path: { id: this.#task }, query },
      { signal: this.#stop.signal },
    );
    ({ bytes: this.bytes, cutBytes: this.cutBytes, isMissing: this.isMissing } = window);
    return window;
  }
}
