import type { ChatKey } from "../chat/editor/chat-key.ts";
import { asciiMarks } from "../render/ascii-marks.ts";
import { watchKeys } from "../chat/editor/watch-keys.ts";

export interface FullScreenOptions {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** Marks of ours are shown as ASCII. */
  isAsciiOnly: boolean;
  onKey: (key: ChatKey) => void;
  onResize: () => void;
}

export interface FullScreen {
  /** The window as it is now. */
  readonly size: { columns: number; rows: number };
  /** Shows these lines and nothing else, each as far as it fits. */
  draw(lines: readonly string[]): void;
  /** The terminal is as it was before. */
  close(): void;
}

// The terminal cuts what is too wide, instead of breaking it: a line of code may be.
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l";
const LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
const ERASE_LINE = "\u001b[2K";
/** A terminal that knows how shows the whole change at once. */
const CHANGE = { begin: "\u001b[?2026h\u001b[H", end: "\u001b[J\u001b[?2026l" };

/** A screen of its own, with its keys, until it is closed or the process ends. */
export function openFullScreen({
  input,
  output,
  isAsciiOnly,
  onKey,
  onResize,
}: FullScreenOptions): FullScreen {
  let isOpen = true;
  const stopKeys = watchKeys(input, onKey);
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    process.off("exit", close);
    output.off("resize", onResize);
    stopKeys();
    input.setRawMode(false);
    input.pause();
    output.write(LEAVE);
  };
  process.on("exit", close);
  output.on("resize", onResize);
  input.setRawMode(true);
  input.resume();
  output.write(ENTER);
  return {
    get size() {
      // A terminal that is just being opened may have no size yet.
      return { columns: output.columns || 80, rows: output.rows || 24 };
    },
    draw(lines) {
      if (isOpen)
        output.write(
          CHANGE.begin +
            lines.map((line) => `${ERASE_LINE}${isAsciiOnly ? asciiMarks(line) : line}`).join("\r\n") +
            CHANGE.end,
        );
    },
    close,
  };
}
