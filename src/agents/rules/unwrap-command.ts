import path from "node:path";
import { anything } from "./glob-meet.ts";
import type { CommandInput, CommandReader } from "./command-tree.ts";
import { isEvaluating, namedVariables } from "./evaluating-builtins.ts";
import { gitRuns } from "./git-runs.ts";
import { sedRuns } from "./sed-script.ts";
import { literalWord, unknownWord, type ShellWord } from "./shell-word.ts";
import { opaquePrograms, runningOptions, wrappers, type WrapperOptions } from "./wrapper-options.ts";

interface Unwrapping {
  reader: CommandReader;
  input: CommandInput | undefined;
}

/** Gives the reader the commands that a command starts. True when rules need only speak of those. */
export function unwrap(words: readonly ShellWord[], { reader, input }: Unwrapping): boolean {
  const [name, ...rest] = words;
  if (name?.text === undefined) {
    reader.hide();
    return false;
  }
  noteFolders(rest, reader);
  // On some disks a name in capitals is the same program; anywhere else it is none.
  const program = programName(name.text).toLowerCase();
  for (const variable of namedVariables(program, rest)) reader.assign(variable);
  if (opaquePrograms.test(program) || isEvaluating(program, rest)) reader.hide();
  if (program === "git" ? gitRuns(rest) : program === "sed" ? sedRuns(rest) : isRunning(program, rest))
    reader.hide();
  if (/^(?:ba|da|a|z|k|mk|rba|ya)?sh$/.test(program)) runShell(program, rest, { reader, input });
  else if (program === "eval") readScript(operandsOf(rest), reader);
  else if (program === "trap") readTrap(operandsOf(rest), reader);
  else if (program === "source" || program === ".") runFile(operandsOf(rest), reader);
  else if (program === "find") runFound(rest, reader);
  else if (program === "fd" || program === "fdfind") runForEach(rest, reader);
  else if (program === "cd" || program === "pushd" || program === "popd") changeFolder(program, rest, reader);
  const options = wrappers.get(program);
  return options !== undefined && startWrapped(words, { program, options, reader });
}

function isRunning(program: string, rest: readonly ShellWord[]): boolean {
  // The first word of tar may be options without a sign.
  if (program === "tar" && /^[a-zA-Z]*[IF]/.test(rest[0]?.text ?? "")) return true;
  const running = runningOptions.get(/^(?:[gmn]|original-)awk$/.test(program) ? "awk" : program);
  return running !== undefined && rest.some(({ text }) => text === undefined || running.test(text));
}

/** What a program is called, wherever it lies. */
export function programName(text: string): string {
  return path.posix.basename(text);
}

function startWrapped(
  words: readonly ShellWord[],
  { program, options, reader }: { program: string; options: WrapperOptions; reader: CommandReader },
): boolean {
  // It only asks which program that would be.
  if (program === "command" && /^-p?[vV]/.test(words[1]?.text ?? "")) return false;
  const start = commandStart(words, { options, reader });
  if (start === undefined) {
    reader.hide();
    return false;
  }
  const inner = words.slice(start);
  if (inner.length === 0) return false;
  if (program === "xargs") {
    // What it is given may be names of files.
    reader.tree.words.push(unknownWord);
    reader.take([...withReplaced(inner, words.slice(1, start)), unknownWord]);
  } else reader.take(inner);
  // A program of that name somewhere else may be anybody's.
  return (
    words[0]!.text === program && (options.isPassedOver === true || (program === "xargs" && start === 1))
  );
}

// Where the command begins; undefined when that cannot be said.
function commandStart(
  words: readonly ShellWord[],
  { options, reader }: { options: WrapperOptions; reader: CommandReader },
): number | undefined {
  const { operands = 0, isSettingVariables = false } = options;
  let index = 1;
  for (; index < words.length; index++) {
    const text = words[index]!.text;
    if (text === undefined) return undefined;
    if (!text.startsWith("-")) break;
    if (text === "--") {
      index++;
      break;
    }
    const taken = optionLength(text, options);
    if (taken === undefined) return undefined;
    index += taken - 1;
  }
  index += operands;
  if (!isSettingVariables) return index;
  for (; index < words.length; index++) {
    const variable = /^([^=]+)=/.exec(words[index]!.source)?.[1];
    if (variable === undefined) break;
    reader.assign(variable);
  }
  return index;
}

// How many words an option takes; undefined when it is unknown.
function optionLength(text: string, { values = [], flags = [] }: WrapperOptions): number | undefined {
  if (flags.includes(text)) return 1;
  if (values.includes(text)) return 2;
  if (text.startsWith("--")) {
    const [long = ""] = text.split("=");
    return text.includes("=") && (values.includes(long) || flags.includes(long)) ? 1 : undefined;
  }
  for (const [index, letter] of Array.from(text).entries()) {
    if (index === 0 || flags.includes(`-${letter}`)) continue;
    if (!values.includes(`-${letter}`)) return undefined;
    return index === text.length - 1 ? 2 : 1;
  }
  return 1;
}

// The words in which xargs or find put what they found.
function withReplaced(words: readonly ShellWord[], options: readonly ShellWord[] = []): ShellWord[] {
  const at = options.findIndex(({ text }) => text === "-I" || text === "--replace");
  const marks = ["{}", ...(at < 0 ? [] : [options[at + 1]?.text ?? "{}"])];
  const attached = options.flatMap(({ text }) => /^(?:-I|--replace=)(.+)$/.exec(text ?? "")?.[1] ?? []);
  return words.map((word) =>
    [...marks, ...attached].some((mark) => word.text === undefined || word.text.includes(mark))
      ? { source: word.source, text: undefined, glob: [anything] }
      : word,
  );
}

// Grammar that only bash has, which another shell may take for several commands.
const ONLY_BASH =
  /[&|]>|>&\s*[^\d\s-]|\|&|<<<|[<>]\(|\(\(|\[\[|\$['"]|;;?&|\+=|[\w]=\(|\b(?:function|select|coproc|time)\b/;

function runShell(program: string, rest: readonly ShellWord[], { reader, input }: Unwrapping): void {
  let index = 0;
  let isScript = false;
  let isInput = false;
  for (; index < rest.length; index++) {
    const text = rest[index]!.text;
    if (text === undefined) return reader.hide();
    if (!/^[-+]./.test(text)) break;
    if (text === "--") {
      index++;
      break;
    }
    if (/^--(?:login|norc|noprofile|posix|restricted|verbose)$/.test(text)) continue;
    if (text.startsWith("--")) return reader.hide();
    isScript ||= text.startsWith("-") && text.includes("c");
    isInput ||= text.includes("s");
    index += Array.from(text).filter((letter) => letter === "o" || letter === "O").length;
  }
  const operand = rest[index];
  if (isScript) {
    const isOther = /^(?:z|k|mk|ya)sh$/.test(program);
    if (operand?.text !== undefined && !/^(?:r?ba)sh$/.test(program))
      if (isOther || ONLY_BASH.test(operand.text)) reader.hide();
    readScript(operand ? [operand] : [], reader);
  } else if (operand && !isInput) runFile(rest.slice(index), reader);
  else if (input?.script === undefined) reader.hide();
  else reader.read(input.script);
}

function readScript(words: readonly ShellWord[], reader: CommandReader): void {
  const texts = words.map(({ text }) => text);
  if (texts.includes(undefined)) reader.hide();
  else if (texts.length > 0) reader.read(texts.join(" "));
}

// Builtins take `--` before what they are given.
function operandsOf(rest: readonly ShellWord[]): readonly ShellWord[] {
  return rest[0]?.text === "--" ? rest.slice(1) : rest;
}

function readTrap(words: readonly ShellWord[], reader: CommandReader): void {
  readScript(words.length > 1 ? words.slice(0, 1) : [], reader);
}

// What a file holds is not looked at, as of every other program; but it must be a file. A name without a slash is looked for
// where programs are, so denials hold for it.
function runFile(words: readonly ShellWord[], reader: CommandReader): void {
  const text = words[0]?.text;
  if (text === undefined || /^(?:-$|\/dev\/|\/proc\/)/.test(text)) reader.hide();
  else reader.tree.commands.push({ words, isPassedOver: true });
}

function runFound(rest: readonly ShellWord[], reader: CommandReader): void {
  for (const [index, { text }] of rest.entries()) {
    if (text === undefined) reader.hide();
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const after = rest.slice(index + 1);
      const end = after.findIndex((word) => word.text === ";" || word.text === "+");
      const inner = withReplaced(end < 0 ? after : after.slice(0, end));
      if (inner.length > 0) reader.take(inner);
    } else if (text === "-delete") reader.take([literalWord("rm"), unknownWord]);
    else if (/^-(?:fprint0?|fprintf|fls)$/.test(text))
      reader.tree.written.push(rest[index + 1] ?? unknownWord);
  }
}

function runForEach(rest: readonly ShellWord[], reader: CommandReader): void {
  const at = rest.findIndex(({ text }) => text === undefined || /^-[a-zA-Z]*[xX]|^--exec/.test(text));
  if (at < 0) return;
  if (!/^(?:-x|-X|--exec|--exec-batch)$/.test(rest[at]!.text ?? "")) reader.hide();
  const inner = withReplaced(rest.slice(at + 1));
  if (inner.length > 0) reader.take([...inner, unknownWord]);
}

function changeFolder(program: string, rest: readonly ShellWord[], reader: CommandReader): void {
  const target = rest.find(({ text }) => text === undefined || !/^[-+]./.test(text));
  const isKnown = program !== "popd" && target?.text !== "-";
  reader.tree.folders.push(isKnown ? (target ?? literalWord("~")) : unknownWord);
}

// Where a program is told to work: names of files may be meant from there.
function noteFolders(rest: readonly ShellWord[], reader: CommandReader): void {
  for (const [index, { text }] of rest.entries()) {
    const [, attached] =
      /^(?:-C|--directory|--chdir|--cwd|--prefix|--work-tree|--git-dir)(?:=?(.+))?$/.exec(text ?? "") ?? [];
    if (attached !== undefined) reader.tree.folders.push(literalWord(attached));
    else if (/^(?:-C|--directory|--chdir|--cwd|--prefix|--work-tree|--git-dir)$/.test(text ?? ""))
      reader.tree.folders.push(rest[index + 1] ?? unknownWord);
  }
}
