import { wrapLine } from "./wrap-text.ts";

/** In the place of a space at which a line must not break. No text that is shown has it. */
const JOINT = "\ue000";

/** What is said to a person, broken between words. A command is left in one piece where it fits: it is there to be copied. */
export function wrapSaid(text: string, columns: number): string {
  const joined = text.replace(/\b(?:holdfast|claude) [^;,`()]+/g, (command) =>
    command.replaceAll(" ", JOINT),
  );
  return joined
    .split("\n")
    .flatMap((line) => wrapLine(line, columns))
    .join("\n")
    .replaceAll(JOINT, " ");
}
