export interface DiffLine {
  kind: "hunk" | "added" | "removed" | "same";
  oldLine?: number;
  newLine?: number;
  /** The text in pieces; those that differ from the other side's line are marked. */
  runs: { text: string; isChanged: boolean }[];
}

/** The lines of a unified difference of one file, without its header. */
export function parsePatch(patch: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let [oldLine, newLine, isInHunk] = [0, 0, false];
  for (const text of patch.split("\n")) {
    const [, oldFrom, newFrom] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text) ?? [];
    if (oldFrom !== undefined) {
      [oldLine, newLine, isInHunk] = [Number(oldFrom), Number(newFrom), true];
      lines.push({ kind: "hunk", runs: [{ text, isChanged: false }] });
    } else if (isInHunk && text.startsWith("+"))
      lines.push({ kind: "added", newLine: newLine++, runs: whole(text) });
    else if (isInHunk && text.startsWith("-"))
      lines.push({ kind: "removed", oldLine: oldLine++, runs: whole(text) });
    else if (isInHunk && text.startsWith(" "))
      lines.push({ kind: "same", oldLine: oldLine++, newLine: newLine++, runs: whole(text) });
  }
  markWords(lines);
  return lines;
}

function whole(text: string): DiffLine["runs"] {
  return [{ text: text.slice(1), isChanged: false }];
}

// Of as many lines that went as came instead of them, what differs between each two.
function markWords(lines: DiffLine[]): void {
  for (let at = 0; at < lines.length;) {
    const removed = countFrom(lines, at, "removed");
    const added = countFrom(lines, at + removed, "added");
    if (removed === added)
      for (let index = 0; index < removed; index++)
        markPair(lines[at + index]!, lines[at + removed + index]!);
    at += Math.max(1, removed + added);
  }
}

function countFrom(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): number {
  let count = 0;
  while (lines[from + count]?.kind === kind) count++;
  return count;
}

function markPair(removed: DiffLine, added: DiffLine): void {
  const [before, after] = [removed.runs[0]!.text, added.runs[0]!.text];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  // Two lines that have nearly nothing in common are no change of a line.
  if ((start + end) * 3 < shorter) return;
  for (const [line, text] of [
    [removed, before],
    [added, after],
  ] as const)
    line.runs = [
      { text: text.slice(0, start), isChanged: false },
      { text: text.slice(start, text.length - end), isChanged: true },
      { text: text.slice(text.length - end), isChanged: false },
    ].filter((run) => run.text !== "");
}
