/** A word as a POSIX shell reads it back unchanged, whatever it holds (but for NUL, which no argument can hold). */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
