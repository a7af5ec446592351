import type { CheckedHealth } from "../../../health/check-health.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { CommandContext } from "../command.ts";
import type { Page, Style } from "../render/style.ts";
import { wrapText } from "../render/wrap-text.ts";
import { suggestionText } from "../../../lib/suggestion-text.ts";

const FINDINGS_SHOWN_MAX = 3;
/** Narrower than this, wrapped lines would be a column of words. */
const WRAPPED_MIN = 20;

/** One line a check, under the name of its group; below one that is not ok, the first findings and what mends it. */
export async function writeChecks(
  { environment, output, writeLines }: CommandContext,
  checks: readonly CheckedHealth[],
): Promise<void> {
  const { stdout, userHome } = environment;
  const { style, columns } = stdout;
  const width = Math.max(...checks.map(({ name }) => name.length));
  let group: string | undefined;
  for (const check of checks) {
    if (check.group !== group)
      await output.write(`${group === undefined ? "" : "\n"}${style.bold(check.group)}\n`);
    group = check.group;
    await writeLines(linesOf(check, { width, style, columns, userHome }));
  }
}

interface LineStyle extends Page {
  width: number;
  userHome: string;
}

function linesOf(check: CheckedHealth, { width, style, columns, userHome }: LineStyle): string[] {
  const { name, status, findings = [], suggestion } = check;
  const indent = " ".repeat(width + 6);
  const home = (text: string): string => terminalLine(text).replaceAll(`${userHome}/`, "~/");
  // Wrapped, not cut: the end of a line is mostly the folder that it is about.
  const fit = (text: string): string[] =>
    wrapText(home(text), Math.max(WRAPPED_MIN, columns - indent.length));
  const [mark, paint] = marks(style)[status];
  const [first = "", ...more] = fit(check.summary);
  const lines = [`  ${paint(mark)} ${name.padEnd(width)}  ${first}`, ...more.map((line) => indent + line)];
  if (status === "ok") return lines;
  for (const { text } of findings.slice(0, FINDINGS_SHOWN_MAX))
    lines.push(...fit(`• ${text}`).map((line) => indent + style.dim(line)));
  const hidden = findings.length - FINDINGS_SHOWN_MAX;
  if (hidden > 0)
    lines.push(...fit(`• and ${hidden} more; --json lists them`).map((line) => indent + style.dim(line)));
  // A command is never cut: it is there to be copied.
  if (suggestion) lines.push(`${indent}${style.cyan(`→ ${home(suggestionText(suggestion))}`)}`);
  return lines;
}

function marks(style: Style): Record<CheckedHealth["status"], [string, (text: string) => string]> {
  return { ok: ["✓", style.green], warn: ["!", style.yellow], fail: ["✗", style.red] };
}
