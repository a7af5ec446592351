import { terminalLine } from "../../lib/terminal-text.ts";
import type { SearchHit } from "../../search/read-hit.ts";
import type { Environment } from "../environment.ts";
import { cutEnd } from "../render/cut-text.ts";
import { formatAge } from "../render/quantities.ts";
import { makeStyle, type Style } from "../render/style.ts";
import { wrapText } from "../render/wrap-text.ts";

/** Each hit: where it is and who said it, then what it says, with the words that were looked for set off. */
export function* hitLines(hits: readonly SearchHit[], { stdout }: Environment): Generator<string> {
  const style = makeStyle(stdout);
  const now = new Date();
  const indent = "  ";
  for (const hit of hits) {
    const { sessionId, project, uuid, agentId, role, timestamp } = hit;
    const place = [
      style.cyan(terminalLine(sessionId).slice(0, 8)),
      role,
      timestamp === null ? "" : formatAge(timestamp, now),
      agentId === null ? "" : `agent ${terminalLine(agentId)}`,
      style.dim(uuid === null ? "" : terminalLine(uuid).slice(0, 8)),
    ];
    const head = place.filter((part) => part !== "").join("  ");
    const room = stdout.columns - plainLength(place) - 2;
    yield room > 12 ? `${head}  ${style.dim(cutEnd(terminalLine(project), room))}` : head;
    // Highlighted before it is wrapped, a word would be measured with its colours; so line by line.
    for (const line of wrapText(hit.snippet, stdout.columns - indent.length))
      yield indent + highlight(line, hit, style);
  }
}

function plainLength(parts: readonly string[]): number {
  // eslint-disable-next-line no-control-regex -- our own colours
  const plain = parts.filter((part) => part !== "").map((part) => part.replace(/\u001b\[\d+m/g, ""));
  return plain.reduce((sum, part) => sum + part.length + 2, -2);
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
