import { terminalText } from "../../../lib/terminal-text.ts";
import type { FileDiff } from "../../../store/companions/diff-files.ts";
import type { CommandContext } from "../command.ts";
import { displayPath } from "../render/display-path.ts";
import type { Style } from "../render/style.ts";
import { reasonText } from "../say-problems.ts";

/** Unified diffs on standard output; what cannot be compared is said beside them. */
export async function writeDiffs(
  { output, say, environment }: CommandContext,
  diffs: readonly FileDiff[],
): Promise<void> {
  const { style } = environment.stdout;
  for (const diff of diffs) if (diff.kind === "changed") await output.write(paintPatch(diff.patch, style));
  await output.flush();
  for (const diff of diffs) {
    const name = displayPath(diff.path, environment.userHome);
    if (diff.kind === "binary") say(`${name}: differs, and is not text`);
    if (diff.kind === "too-different") say(`${name}: differs nearly everywhere`);
    if (diff.kind === "unknown") say(`holdfast: Cannot compare "${name}": ${reasonText(diff.reason)}`);
  }
  if (diffs.every(({ kind }) => kind === "same")) say("No differences.");
}

function paintPatch(patch: string, style: Style): string {
  const lines = terminalText(patch)
    .split("\n")
    .filter((line) => !/^=+$/.test(line));
  return lines.map((line) => paintLine(line, style)).join("\n");
}

function paintLine(line: string, style: Style): string {
  if (line.startsWith("+++") || line.startsWith("---")) return style.bold(line);
  if (line.startsWith("@@")) return style.cyan(line);
  if (line.startsWith("+")) return style.green(line);
  return line.startsWith("-") ? style.red(line) : line;
}
