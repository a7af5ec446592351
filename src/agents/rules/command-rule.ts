import type { CommandTree, SimpleCommand } from "./command-tree.ts";
import { programName } from "./unwrap-command.ts";
import type { ShellWord } from "./shell-word.ts";

/** `maybe`: the command may become one that the rule speaks of, which nobody knows before it runs. */
export type Match = "yes" | "maybe" | "no";

/** Whether some command of the tree is, or may be, one that the pattern speaks of. For rules that forbid. */
export function forbids(pattern: string, { isBroken, isHiding, commands }: CommandTree): Match {
  const match = worst(commands.flatMap(({ words }) => readings(words).map((each) => compare(pattern, each))));
  return match === "no" && (isBroken || isHiding) ? "maybe" : match;
}

export function worst(matches: readonly Match[]): Match {
  if (matches.some((match) => match === "yes")) return "yes";
  return matches.some((match) => match === "maybe") ? "maybe" : "no";
}

/**
 * Whether each command of the tree is one that some pattern speaks of, with certainty. Variables are harmless that no program
 * looks at: those of small letters only.
 */
export function allows(patterns: readonly string[], tree: CommandTree): boolean {
  if (tree.isBroken || tree.isHiding) return false;
  if (!tree.assigned.every((name) => /^[a-z][a-z0-9]*$/.test(name))) return false;
  const judged = tree.commands.filter(({ isPassedOver }) => !isPassedOver);
  return judged.length > 0 && judged.every((command) => patterns.some((pattern) => is(pattern, command)));
}

function is(pattern: string, { words }: SimpleCommand): boolean {
  if (words[0]?.text === undefined) return false;
  const { prefix, fits } = readPattern(pattern);
  const texts = words.map(plainText);
  if (prefix === undefined)
    return [texts, words.map(({ source }) => source)].some((each) => fits(each.join(" ")));
  return prefix.every((word, index) => texts[index] === word);
}

// A word as one would write it: what would need quotes has them, so that it is not taken for several words.
function plainText({ text, source }: ShellWord): string {
  if (text === undefined) return source;
  return /^[^\s'"\\$`*?[\]{}()<>|&;#!~]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function compare(pattern: string, words: readonly ShellWord[]): Match {
  const { prefix, start, fits } = readPattern(pattern);
  if (prefix === undefined) {
    const spellings = [words.map(({ text, source }) => text ?? source), words.map(plainText)];
    if (spellings.some((each) => fits(each.join(" ")))) return "yes";
  }
  for (const [index, word] of (prefix ?? start).entries()) {
    const given = words[index];
    if (given === undefined) return "no";
    if (given.text === undefined) return "maybe";
    if (given.text.toLowerCase() !== word.toLowerCase()) return "no";
  }
  if (prefix !== undefined) return "yes";
  return words.some(({ text }) => text === undefined) ? "maybe" : "no";
}

// Global options that take a value, of programs whose first argument says what they do.
const valueOptions: ReadonlyMap<string, RegExp> = new Map([
  ["git", /^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env|--attr-source|--super-prefix)$/],
  ["npm", /^(?:-C|-w|--prefix|--workspace|--userconfig|--registry|--loglevel)$/],
  ["pnpm", /^(?:-C|--dir|-F|--filter)$/],
  ["yarn", /^--cwd$/],
  ["docker", /^(?:-H|--host|-c|--context|--config|-l|--log-level)$/],
  ["kubectl", /^(?:-n|--namespace|--context|--cluster|--user|--kubeconfig|-s|--server|--as)$/],
  ["gh", /^(?:-R|--repo)$/],
  ["make", /^(?:-C|-f|-j|-I|-o|-W)$/],
  ["cargo", /^(?:-C|--config|-Z|--color)$/],
]);

// A command is what it is wherever its program lies, and whatever options come first.
function readings(words: readonly ShellWord[]): ShellWord[][] {
  const [name, ...rest] = words;
  if (name?.text === undefined) return [[...words]];
  const program = programName(name.text);
  const called = { ...name, text: program };
  const takesValue = valueOptions.get(program.toLowerCase());
  const withoutOptions: ShellWord[] = [];
  for (let index = 0; index < rest.length; index++) {
    const { text } = rest[index]!;
    if (text === undefined || !/^-./.test(text)) withoutOptions.push(rest[index]!);
    else if (takesValue?.test(text) && withoutOptions.length === 0) index++;
  }
  return [[...words], [called, ...rest], [called, ...withoutOptions]];
}

interface CommandPattern {
  /** The words that a command must begin with, when that is all. */
  prefix?: string[];
  /** The words before the first `*`. */
  start: string[];
  fits: (command: string) => boolean;
}

// `words:*` and `words *` are the words alone or with more behind them; any other `*` is any text.
function readPattern(pattern: string): CommandPattern {
  const glob = pattern.trim().replace(/:\*$/, " *");
  const prefix = /^([^*"'\\]*)\s\*$/.exec(glob)?.[1];
  const [known = ""] = glob.split("*");
  const start = (glob.includes("*") ? known.replace(/\S+$/, "") : known).split(/\s+/).filter(Boolean);
  const fits = (command: string): boolean =>
    fitsGlob(glob, command) || (glob.endsWith(" *") && fitsGlob(glob.slice(0, -2), command));
  return { ...(prefix !== undefined && { prefix: start }), start, fits };
}

// Piece by piece, so that no number of `*` makes it slow.
function fitsGlob(glob: string, text: string): boolean {
  const [first = "", ...pieces] = glob.split("*");
  const last = pieces.pop();
  if (last === undefined) return text === glob;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
