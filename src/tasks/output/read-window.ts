import { readBytes } from "../../lib/line-scanner.ts";
import { continuationBytes, wholeCharacters } from "../../lib/whole-characters.ts";
import { windowBytes, windowBytesMax } from "./limits.ts";
import { withOutputFile } from "./read-output.ts";

export interface WindowRequest {
  /** The byte to begin at. Without it and `end`, the last bytes. */
  from?: number | undefined;
  /** The byte to end before. */
  end?: number | undefined;
  bytes?: number | undefined;
  /** The task has ended: what is no whole character now never will be one. */
  isFinal?: boolean | undefined;
}

/** The bytes from `from` to `to` of one output, as whole characters, and what the file holds at this moment. */
export interface OutputWindow {
  from: number;
  to: number;
  /** Whether the text begins a line: the byte before is a newline, or there is none. */
  isAtLineStart: boolean;
  text: string;
  bytes: number;
  /** Bytes that were taken from the head while the task ran; nothing before them can be read. */
  cutBytes: number;
  isMissing: boolean;
}

/** Reads any part of an output; costs the same for 5 GB as for 5 KB. A window outside of the file is moved to its nearest end. */
export function readWindow(
  file: string,
  { from, end, bytes = windowBytes, isFinal }: WindowRequest,
): OutputWindow {
  const wanted = Math.max(1, Math.min(bytes, windowBytesMax));
  return (
    withOutputFile(file, (fd, { size, cut }) => {
      const within = (offset: number): number => Math.max(cut, Math.min(offset, size));
      const last = within(end ?? size);
      const begin = within(from ?? last - wanted);
      const stop = Math.min(begin + wanted, last);
      // One byte more: whether it begins a line is seen by what stands before.
      const before = begin > cut ? 1 : 0;
      const read = readBytes(fd, { offset: begin - before, length: Math.max(0, stop - begin) + before });
      const isAtLineStart = before === 0 || read[0] === NEWLINE;
      const piece = read.subarray(before);
      const start = begin > cut ? continuationBytes(piece) : 0;
      // What is no whole character at the very end will be one when more has come.
      const isWhole = isFinal && begin + piece.length === size;
      const until = Math.max(start, isWhole ? piece.length : wholeCharacters(piece));
      return {
        from: begin + start,
        to: begin + until,
        isAtLineStart: isAtLineStart && start === 0,
        text: piece.toString("utf8", start, until),
        bytes: size,
        cutBytes: cut,
        isMissing: false,
      };
    }) ?? { from: 0, to: 0, isAtLineStart: true, text: "", bytes: 0, cutBytes: 0, isMissing: true }
  );
}

const NEWLINE = 10;
