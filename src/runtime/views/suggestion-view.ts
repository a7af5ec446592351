import type { Suggestion } from "../../lib/suggestion.ts";

/** What to do next: as data for a button, and as the command line that does the same. */
export interface SuggestionView {
  suggestion: Suggestion;
  command: string;
}
