import type { Suggestion } from "../../../lib/suggestion.ts";
import { suggestionText } from "../../../lib/suggestion-text.ts";
import type { SuggestionView } from "../../../runtime/views/suggestion-view.ts";

/** What to do next, as a button shows it: with the command line that does the same. */
export function suggestionView(suggestion: Suggestion): SuggestionView {
  return { suggestion, command: suggestionText(suggestion) };
}
