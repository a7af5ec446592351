/** What a terminal would show of lines that rewrite themselves: of "10%\r20%\r30%" only "30%". */
export function collapseProgress(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      let end = line.length;
      while (line[end - 1] === "\r") end--;
      return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
    })
    .join("\n");
}
