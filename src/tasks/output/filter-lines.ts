import { RE2JS } from "re2js";
import { filterProgramSizeMax } from "../../lib/limits.ts";
import { taskError } from "../errors.ts";
import { isTruncationMark } from "./read-output.ts";

/**
 * The lines that match a regular expression, and those that say what was left out. The engine takes time in proportion
 * to the text and to the size of the expression, so none that a model thinks up can hang the process; what is too large,
 * and what it cannot do (look-around, back-references), is refused.
 */
export function filterLines(text: string, expression: string): string {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(expression);
  } catch (cause) {
    throw taskError("task_refused", `Cannot filter by /${expression}/: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (pattern.programSize() > filterProgramSizeMax)
    throw taskError("task_refused", `Cannot filter by /${expression}/: it may take too long`);
  const lines = text.split("\n").filter((line) => isTruncationMark(line) || pattern.matcher(line).find());
  return lines.join("\n");
}
