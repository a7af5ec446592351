import { asciiMarks } from "./render/ascii-marks.ts";
import { cutEnd } from "./render/cut-text.ts";
import { displayWidth } from "./render/display-width.ts";
import type { Environment } from "./environment.ts";

/**
 * The line on standard error that says what a command is doing. It is overwritten, and removed before anything else is said.
 * It needs no escape sequence, so a terminal that knows none (TERM=dumb) shows it, too.
 */
export function showTransientLine(text: string, { stderr, isAsciiOnly }: Environment): void {
  const line = cutEnd(isAsciiOnly ? asciiMarks(text) : text, stderr.columns - 1);
  const width = displayWidth(line);
  process.stderr.write(`\r${line}${" ".repeat(Math.max(0, shownWidth - width))}`);
  shownWidth = width;
}

export function clearTransientLine(): void {
  if (shownWidth > 0) process.stderr.write(`\r${" ".repeat(shownWidth)}\r`);
  shownWidth = 0;
}

/** A process has one standard error. */
let shownWidth = 0;
