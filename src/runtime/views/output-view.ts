import type { OutputStream } from "../../tasks/output/follow-output.ts";

/** What one stream of a task holds at this moment. */
export interface OutputStreamView {
  stream: OutputStream;
  /** Size of the file in bytes, with what was cut from its head. */
  bytes: number;
  /** Bytes that were taken from the head while the task ran. Reading begins behind them. */
  cutBytes: number;
  /** Somebody removed the file. */
  isMissing: boolean;
}

/** A window of one stream: the bytes from `from` to `to`, as whole characters. */
export interface OutputWindowView extends OutputStreamView {
  from: number;
  to: number;
  /** Where the first line of the text begins is known only when the byte before is a newline, or there is none. */
  isAtLineStart: boolean;
  text: string;
}

/** One line of an answer that goes on while it is made: how far the search is, what it found, that it is done. */
export type OutputFoundView =
  | {
      kind: "found";
      /** Byte offsets of matches, in order, each with its length. Only the first `offsetsMax` are named. */
      offsets: [offset: number, bytes: number][];
    }
  | {
      kind: "progress" | "done";
      searchedBytes: number;
      totalBytes: number;
      /** Exact for the bytes that were searched. */
      count: number;
      /** How many matches are in each of 512 equal parts of the stream, for marks on a scrollbar. */
      marks: number[];
    };
