/** What a terminal would show of lines that rewrite themselves: of "10%\r20%\r30%" only "30%". */
export function collapseProgress(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const kept = line.endsWith("\r") ? line.slice(0, -1) : line;
      return kept.slice(kept.lastIndexOf("\r") + 1);
    })
    .join("\n");
}
