import { terminalLine } from "../../../lib/terminal-text.ts";
import type { SearchHit } from "../../../search/read-hit.ts";
import type { Environment } from "../environment.ts";
import { displayPath } from "../render/display-path.ts";
import { displayWidth } from "../render/display-width.ts";
import { formatAge } from "../../../lib/quantities.ts";
import type { Style } from "../render/style.ts";
import { wrapText } from "../render/wrap-text.ts";

/** Each hit: where it is and who said it, then what it says, with the words that were looked for set off. */
export function* hitLines(hits: readonly SearchHit[], { stdout, userHome }: Environment): Generator<string> {
  const { columns, style } = stdout;
  const now = new Date();
  const indent = "  ";
  for (const hit of hits) {
    yield headLine(hit, { columns, style, now, userHome });
    // Highlighted before it is wrapped, a word would be measured with its colours; so line by line.
    for (const line of wrapText(hit.snippet, columns - indent.length))
      yield indent + highlight(line, hit, style);
  }
}

/** As much of where and who as fits, what matters most first. */
function headLine(
  { sessionId, project, cwd, uuid, agentId, taskId, role, type, timestamp }: SearchHit,
  { columns, style, now, userHome }: { columns: number; style: Style; now: Date; userHome: string },
): string {
  const plain = (text: string): string => text;
  const pieces: [string, (text: string) => string][] = [
    [taskId ?? terminalLine(sessionId ?? "").slice(0, 8), style.cyan],
    [taskId === null ? (type.endsWith("-title") ? "title" : role) : "task", plain],
    [timestamp === null ? "" : formatAge(timestamp, now), plain],
    [agentId === null ? "" : `agent ${terminalLine(agentId)}`, plain],
    [uuid === null ? "" : terminalLine(uuid).slice(0, 8), style.dim],
    [cwd === null ? terminalLine(project) : displayPath(cwd, userHome), style.dim],
  ];
  let line = "";
  let room = columns;
  for (const [text, paint] of pieces) {
    if (text === "" || displayWidth(text) > room) continue;
    line += `${line === "" ? "" : "  "}${paint(text)}`;
    room -= displayWidth(text) + 2;
  }
  return line;
}

function highlight(line: string, { snippet, highlights }: SearchHit, style: Style): string {
  const words = new Set(
    highlights.map(({ start, end }) => snippet.slice(start, end)).filter((word) => word !== ""),
  );
  if (words.size === 0) return line;
  const pattern = [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\s+/g, "\\s+"))
    .join("|");
  return line.replace(new RegExp(pattern, "g"), (word) => style.bold(style.yellow(word)));
}
