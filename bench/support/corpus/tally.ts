import type { CorpusTruth, Tokens } from "./truth.ts";

/** Running totals over all files of a corpus. */
export interface Tally {
  line(byteLength: number): void;
  message(): void;
  /** One API message, however many lines it is split over. */
  uniqueMessage(tokens: Tokens): void;
  totals(): Omit<CorpusTruth, "sessions" | "agents" | "compactions">;
}

export function createTally(): Tally {
  const lineBytes: number[] = [];
  let bytes = 0;
  let messages = 0;
  let uniqueMessages = 0;
  let tokens: Tokens = { input: 0, output: 0, cacheCreation: 0, cacheRead: 0 };
  return {
    line(byteLength) {
      lineBytes.push(byteLength);
      bytes += byteLength + 1;
    },
    message() {
      messages += 1;
    },
    uniqueMessage(added) {
      uniqueMessages += 1;
      tokens = {
        input: tokens.input + added.input,
        output: tokens.output + added.output,
        cacheCreation: tokens.cacheCreation + added.cacheCreation,
        cacheRead: tokens.cacheRead + added.cacheRead,
      };
    },
    totals() {
      const sorted = Uint32Array.from(lineBytes).sort();
      const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
      return {
        bytes,
        lines: sorted.length,
        messages,
        uniqueMessages,
        tokens,
        lineBytes: { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) },
      };
    },
  };
}
