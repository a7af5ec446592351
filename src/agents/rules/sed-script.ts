import type { ShellWord } from "./shell-word.ts";

/**
 * Whether a sed may run a program, or read and write files that its script names: unless every command of its scripts is one
 * that cannot. What is not understood may.
 */
export function sedRuns(rest: readonly ShellWord[]): boolean {
  const scripts: string[] = [];
  const operands: string[] = [];
  for (let index = 0; index < rest.length; index++) {
    const text = rest[index]!.text;
    if (text === undefined) return true;
    const [isScript, attached] = /^(?:-[nrEsuz]*e|--exp[a-z]*=?)([^]*)$/.exec(text) ?? [];
    if (isScript !== undefined) {
      const value = attached || rest[++index]?.text;
      if (value === undefined) return true;
      scripts.push(value);
    } else if (!/^-./.test(text)) operands.push(text);
    else if (!harmlessOption.test(text)) return true;
  }
  return !isPlain(scripts.length > 0 ? scripts.join("\n") : (operands[0] ?? ""));
}

const harmlessOption =
  /^(?:-[nrEsuz]+|-[nrEsuz]*i[^]*|--|--(?:quiet|silent|in-place(?:=[^]*)?|regexp-extended|separate|null-data))$/;

// Command by command, from the front, so that nothing is read in two ways.
function isPlain(script: string): boolean {
  let at = 0;
  const skip = (token: RegExp): boolean => {
    token.lastIndex = at;
    const isThere = token.test(script);
    if (isThere) at = token.lastIndex;
    return isThere;
  };
  for (;;) {
    skip(/[\s;{}]*/y);
    if (at >= script.length) return true;
    if (skip(address)) skip(secondAddress);
    skip(/\s*(?:!\s*)?/y);
    const isKnown =
      skip(/\{/y) ||
      skip(/[aic](?:\\[^]|[^\\\n])*/y) ||
      skip(/#[^\n]*/y) ||
      (skip(plainCommand) && skip(commandEnd));
    if (!isKnown) return false;
  }
}

// What stands between two signs. A bracket that holds the sign is read in different ways by different seds.
const between = (sign: string): string =>
  String.raw`(?:\\[^]|\[\^?[^\]^\\\n${sign}][^\]\\\n${sign}]*\]|[^\\\n\[${sign}])*${sign}`;
const one = String.raw`(?:\d+(?:~\d+)?|\$|/${between("/")}[IM]*)`;
const address = new RegExp(one, "y");
const secondAddress = new RegExp(String.raw`\s*,\s*(?:${one}|[+~]\d+)`, "y");
const substitutions = ["/", "\\|", "#", ",", "@", "!", ":", "_", "%"].map(
  (sign) => `s${sign}${between(sign)}${between(sign)}[gpiImM\\d]*`,
);
const plainCommand = new RegExp(
  [
    "[pdDPnNhHgGxzF=]",
    "[qQl]\\d*",
    "[:btT][ \\t]*[\\w.-]*",
    `y/${between("/")}${between("/")}`,
    ...substitutions,
  ].join("|"),
  "y",
);
const commandEnd = /[ \t]*(?=[;}#\n]|$)/y;
