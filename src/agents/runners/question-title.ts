import { filesIn } from "./file-fields.ts";

/** What a tool would do, in a line: from what it is given, and never from what the model says about it. */
export function questionTitle(tool: string, input: Readonly<Record<string, unknown>>): string {
  const { command } = input;
  if (tool === "Bash")
    return typeof command === "string" ? `Run ${command}` : "Run a command that is not told";
  const files = new Set(filesIn(input));
  if (files.size > 0) return `${tool} ${[...files].join(", ")}`;
  const telling = Object.values(input).find((value) => typeof value === "string");
  return telling === undefined ? tool : `${tool} ${telling}`;
}

/** The words of the model, where they are no part of what the tool is given. */
export function modelWords(words: string | undefined, title: string): { said?: string } {
  return words === undefined || words === "" || title.includes(words) ? {} : { said: words };
}
