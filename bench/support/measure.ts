import type { Peer } from "./peers.ts";

/** One bench: a named group of measures, and an honest list of what they leave out. */
export interface Bench {
  readonly name: string;
  readonly measures: readonly Measure[];
  /** Sentences for RESULTS.md, "What is not measured". */
  readonly notMeasured: readonly string[];
}

/** Two ways to do the same work, run back to back, and the figures taken from each pair of runs. */
export interface Measure {
  /** What is done, in a few words; scale-dependent sizes come from the scale. */
  readonly title: (scale: Scale) => string;
  /** What it is measured against; nothing where every figure is a limit. */
  readonly against?: string;
  readonly pairs: { readonly full: number; readonly quick: number };
  readonly figures: readonly Figure[];
  /** Fetches and generates what both sides need, outside the clock. */
  open(context: BenchContext): Promise<Contest | Unavailable>;
}

/** What it is measured against is not on this machine and cannot be fetched. */
export interface Unavailable {
  /** What to install. */
  readonly unavailable: string;
}

export interface Contest {
  /** Absent where every figure is a limit: then nothing is compared, and no control is run. */
  readonly peer?: Side;
  readonly candidate: Side;
  readonly peersUsed?: readonly Peer[];
  /**
   * Says what is wrong with a result that both sides agree on, or undefined. Where the two sides do not compute
   * a result (a bare `node -e 0`), this is the only check, and `comparable` is false.
   */
  readonly verify?: (result: unknown) => string | undefined;
  readonly comparable?: boolean;
  /** Ends what `open` started. */
  readonly close?: () => void;
}

/** Does the work once. */
export type Side = () => Promise<Sample>;

export interface Sample {
  /** What was computed; compared with the other side's. */
  readonly result: unknown;
  /** From start to end of the whole process, or of the call when there is no process of its own. */
  readonly wallMs: number;
  /** The call alone, in its process. */
  readonly callMs?: number | undefined;
  readonly cpuMs?: number | undefined;
  /** The most memory that the process ever had resident. */
  readonly rssBytes?: number | undefined;
  /** What else the program measured of itself, by name. */
  readonly figures?: Readonly<Record<string, number>>;
}

export interface Figure {
  readonly label: string;
  readonly read: (sample: Sample) => number | undefined;
  readonly goal: Goal;
}

/** Without a number, the figure is reported but not judged. */
export type Goal =
  /** The peer takes at least this many times as long as the candidate. */
  | { readonly kind: "speedup"; readonly atLeast?: number }
  /** The candidate takes at most this many times as long as the peer. */
  | { readonly kind: "cost"; readonly atMost?: number }
  /** The candidate's own figure stays below a limit: memory in every run, a time (which noise lengthens) in the median run. */
  | {
      readonly kind: "limit";
      readonly atMost?: number;
      readonly unit: "MB" | "ms" | "%" | "entries" | "forks" | "KB" | "nodes" | "tasks";
    };

export interface Scale {
  readonly name: "full" | "quick";
  /** The one large session. */
  readonly sessionBytes: number;
  /** The many sessions. */
  readonly sessions: number;
  readonly sessionsBytes: number;
}

export interface BenchContext {
  readonly scale: Scale;
  /** Corpora and peers; survives the run. */
  readonly cacheDir: string;
  /** Whatever a side writes; removed after the run. */
  readonly scratchDir: string;
}

// Goals hold at full scale only: a small session leaves the peers too little to do.
export const FULL_SCALE: Scale = {
  name: "full",
  sessionBytes: 1_000_000_000,
  sessions: 2000,
  sessionsBytes: 1_000_000_000,
};

export const QUICK_SCALE: Scale = {
  name: "quick",
  sessionBytes: 60_000_000,
  sessions: 200,
  sessionsBytes: 60_000_000,
};
