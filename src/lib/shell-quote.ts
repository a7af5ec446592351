/** A word as a POSIX shell reads it back unchanged, whatever it holds (but for NUL, which no argument can hold). */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A word as a person would write it: quoted only if it has to be. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : shellQuote(word);
}

/** A program and its arguments as a line that a POSIX shell reads back as just these words. */
export function shellLine(argv: readonly string[]): string {
  return argv.map((word, index) => (index === 0 ? programWord(word) : shellWord(word))).join(" ");
}

// At the beginning of a line a shell takes some words for its own: assignments and keywords.
function programWord(word: string): string {
  return word.includes("=") || keywords.has(word) ? shellQuote(word) : shellWord(word);
}

const keywords: ReadonlySet<string> = new Set(
  "case coproc do done elif else end esac fi for foreach function if in nocorrect repeat select then time until while".split(
    " ",
  ),
);
