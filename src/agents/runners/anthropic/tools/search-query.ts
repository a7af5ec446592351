/** What Grep looks for, understood in the same way by ripgrep and by our own search. */
export interface SearchQuery {
  pattern: string;
  /** Absolute: a file or a folder. */
  target: string;
  /** File names are told from here. */
  cwd: string;
  glob?: string | undefined;
  mode: "content" | "files_with_matches" | "count";
  ignoreCase: boolean;
  linesBefore: number;
  linesAfter: number;
  signal: AbortSignal;
  /** Whether a file may be read to the model; absent when no rule forbids any. */
  mayRead?: ((file: string) => Promise<boolean>) | undefined;
}

/** What a search passed over, as lines in parentheses; complete when the search has ended. */
export type SearchNotes = string[];

/** Longer lines are cut: they are minified, and cost more than they tell. */
export const matchLengthMax = 500;
