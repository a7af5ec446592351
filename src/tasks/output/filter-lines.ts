import { RE2JS } from "re2js";
import { taskError } from "../errors.ts";

/**
 * The lines that match a regular expression. The engine takes time in proportion to the text whatever the expression,
 * so none that a model thinks up can hang the process; what it cannot do (look-around, back-references) is refused.
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
  const lines = text.split("\n").filter((line) => pattern.matcher(line).find());
  return lines.join("\n");
}
