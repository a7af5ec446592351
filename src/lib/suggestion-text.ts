import { shellWord } from "./shell-quote.ts";
import type { Suggestion } from "./suggestion.ts";

/** A suggestion as a command line that a person can copy. */
export function suggestionText(suggestion: Suggestion): string {
  if ("program" in suggestion) return [suggestion.program, ...suggestion.args.map(quoted)].join(" ");
  const { verb, args = [], options = {} } = suggestion;
  const flags = Object.entries(options).map(([name, value]) =>
    value === true ? `--${kebab(name)}` : `--${kebab(name)} ${quoted(String(value))}`,
  );
  return ["holdfast", verb, ...args.map(quoted), ...flags].join(" ");
}

// A word as a shell takes it for one; what the reader is to fill in stays as it is.
function quoted(word: string): string {
  return /^<[a-z]+>$/.test(word) ? word : shellWord(word);
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
