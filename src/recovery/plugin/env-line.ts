import { shellQuote } from "../../lib/shell-quote.ts";

/** The line that a session's commands obey before anything else, so that their exit codes are known when the client is gone. */
export interface EnvLine {
  /** What is sourced at the end of a command. */
  script: string;
  /** Where it writes. */
  endingsDir: string;
}

// By this the line is known as ours, whatever version wrote it.
const MARK = "# holdfast: exit codes of commands that outlive their client";

/**
 * It has to be right in every shell, leaves traps that are there alone, and says nothing, also under `set -x`. Only bash
 * obeys it: other shells would let it be seen.
 */
export function envLine({ script, endingsDir }: EnvLine): string {
  const file = shellQuote(script);
  const obey = `{ holdfast_code=$? holdfast_endings=${shellQuote(endingsDir)}; if [ -r ${file} ]; then . ${file}; fi; } 2>/dev/null`;
  return `if [ -n "\${BASH_VERSION-}" ] && [ -z "$(trap -p EXIT)" ]; then trap ${shellQuote(obey)} EXIT; fi ${MARK}`;
}

/** The text of a file for the environment with this line as our only one, or with none of ours. The rest stays as it is. */
export function withEnvLine(text: string, line: string | undefined): string {
  const lines = text.split("\n");
  const ours = lines.filter((each) => each.endsWith(MARK));
  if (ours.length === (line === undefined ? 0 : 1) && ours[0] === line) return text;
  const others = lines.filter((each) => !each.endsWith(MARK)).join("\n");
  if (line === undefined) return others;
  return `${others}${others === "" || others.endsWith("\n") ? "" : "\n"}${line}\n`;
}
