import type { ShellWord } from "./shell-word.ts";

const declaring = new Set(["declare", "typeset", "local", "export", "readonly"]);
const naming = new Set([...declaring, "unset", "read", "mapfile", "readarray", "getopts", "wait"]);

/**
 * Whether a builtin may run a command that stands in the name of a variable: `printf -v 'a[$(rm x)]'` evaluates the subscript.
 * Other programs of these names do not, and are none that anybody has.
 */
export function isEvaluating(program: string, rest: readonly ShellWord[]): boolean {
  if (program === "printf") return rest[0]?.text === undefined || rest[0].text.startsWith("-v");
  if (program === "test" || program === "[") return isEvaluatingTest(rest);
  if (!naming.has(program)) return false;
  if (declaring.has(program) && rest.some(({ text }) => /^[-+]/.test(text ?? ""))) return true;
  return rest.some(({ source, text }) => {
    const isValue = /^[A-Za-z_]\w*=/.test(source);
    return !isValue && (text === undefined || text.includes("["));
  });
}

// `-v` and `-R` evaluate. An expansion may become one of them unless an operator beside it says what it is.
function isEvaluatingTest(rest: readonly ShellWord[]): boolean {
  return rest.some(({ text, source }, index) => {
    if (text !== undefined) return text === "-v" || text === "-R";
    const isOneWord = /^"[^"]*"$/.test(source) && !/[@*]/.test(source);
    const isOperand =
      /^(?:-[a-zA-Z]{1,2}|=|==|!=)$/.test(rest[index - 1]?.text ?? "") ||
      /^(?:=|==|!=|-[a-z]{2})$/.test(rest[index + 1]?.text ?? "");
    return !isOneWord || !isOperand;
  });
}

/** The variables that a builtin sets by their names. */
export function namedVariables(program: string, rest: readonly ShellWord[]): string[] {
  if (!/^(?:read|mapfile|readarray|getopts)$/.test(program)) return [];
  return rest.flatMap(({ text = "" }) => (/^[A-Za-z_]\w*$/.test(text) ? [text] : []));
}
