import { terminalLine } from "../../../lib/terminal-text.ts";
import { formatAge } from "../../../lib/quantities.ts";
import type { Launched } from "../../../recovery/launches-since.ts";
import { cutEnd } from "../render/cut-text.ts";
import { displayPath } from "../render/display-path.ts";
import { INDENT, paintOf, type RecoveryLinesOptions } from "./recovery-lines.ts";

/** Launches for people, two or three lines each: what it is and where it was launched, then the beginning of its words. */
export function launchLines(
  launches: readonly Launched[],
  { environment, isAll }: RecoveryLinesOptions,
): string[] {
  const { userHome, stdout } = environment;
  const { columns, style } = stdout;
  const now = new Date();
  return launches.flatMap(({ id, status, startedAt, exitCode, machine, description, prompt, cwd }) => {
    const age = formatAge(startedAt, now);
    const facts = [
      exitCode === undefined ? status : `${status} (${exitCode})`,
      age === "now" ? "now" : `${age} ago`,
      ...(machine === undefined ? [] : [terminalLine(machine)]),
    ].join("  ");
    const name = terminalLine(id);
    const what = cutEnd(
      terminalLine(description || prompt),
      Math.max(0, columns - name.length - facts.length - 4),
    );
    const more = (text: string): string => style.dim(cutEnd(`${INDENT}${text}`, columns));
    const paint = style[paintOf[status]];
    return [
      [style.cyan(name), paint(facts), what].filter(Boolean).join("  "),
      ...(prompt === "" || prompt === description ? [] : [more(terminalLine(prompt))]),
      ...(isAll ? [more(displayPath(cwd, userHome))] : []),
    ];
  });
}
