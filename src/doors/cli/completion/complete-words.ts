import type { Command, CommandFamily, ListedCommand, ValueKind } from "../command.ts";
import { commandList } from "../command-list.ts";
import { findCommand, isFamily, loadSubcommand, type FoundCommand } from "../find-command.ts";
import { flagsOf, type Flag } from "../parse-command-line.ts";

/** Something that may be typed, and what it is. */
export interface Completion {
  value: string;
  text: string;
}

/** What the shell itself knows how to complete. */
export type ShellKind = "files" | "folders" | "commands";

export interface Completions {
  values: Completion[];
  /** The shell is to add its own. */
  ask?: ShellKind;
}

/** What is there right now of a kind; `words` are the arguments typed before. */
export type LiveValues = (
  kind: ValueKind,
  typed: { word: string; words: readonly string[] },
) => Promise<Completion[]>;

/** What may stand in the place of the last word, which is begun or empty. The words are those behind `holdfast`. */
export async function completeWords(words: readonly string[], live: LiveValues): Promise<Completions> {
  const word = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const { values, ask } =
    before.length === 0 ? { values: rootCompletions(word) } : await behindCommand(before, { word, live });
  return { values: values.filter(({ value }) => value.startsWith(word)), ...(ask && { ask }) };
}

function rootCompletions(word: string): Completion[] {
  const options = ["--help", "--version"].map((value) => ({ value, text: "" }));
  return word.startsWith("-") ? options : namesOf(commandList);
}

function namesOf(commands: readonly ListedCommand[]): Completion[] {
  return commands.map(({ name, summary }) => ({ value: name, text: summary }));
}

interface Typing {
  word: string;
  live: LiveValues;
}

async function behindCommand(before: readonly string[], typing: Typing): Promise<Completions> {
  let found: FoundCommand;
  try {
    found = await findCommand(before);
  } catch {
    return { values: [] };
  }
  const { command, args } = found;
  return isFamily(command)
    ? inFamily(found, command, typing)
    : inCommand(command, readArgs(command, args), typing);
}

// None of its subcommands was typed yet; what the unnamed one takes may come, too.
async function inFamily(found: FoundCommand, family: CommandFamily, typing: Typing): Promise<Completions> {
  const { args } = found;
  const names = args.every((arg) => arg.startsWith("-")) ? namesOf(family.subcommands) : [];
  if (family.unnamed === undefined) return { values: names };
  const { command } = await loadSubcommand(found, { name: family.unnamed, args });
  const meant = command as Command;
  const { values, ask } = await inCommand(meant, readArgs(meant, args), typing);
  return { values: [...names, ...values], ...(ask && { ask }) };
}

/** What the words before the last one say of it. */
interface ReadArgs {
  words: string[];
  given: Set<Flag>;
  /** The option whose value comes next. */
  open: Flag | undefined;
  /** Options cannot come any more. */
  isPastOptions: boolean;
}

function readArgs(command: Command, args: readonly string[]): ReadArgs {
  const flags = flagsOf(command);
  const read: ReadArgs = { words: [], given: new Set(), open: undefined, isPastOptions: false };
  for (const arg of args) {
    if (read.open) read.open = undefined;
    else if (read.isPastOptions || !/^-./.test(arg)) {
      read.words.push(arg);
      read.isPastOptions ||= command.stopsAtArguments === true;
    } else if (arg === "--") read.isPastOptions = true;
    else {
      const flag = flags.find(({ long, short }) => arg.split("=")[0] === `--${long}` || arg === `-${short}`);
      if (flag) read.given.add(flag);
      if (flag?.takesValue && !arg.includes("=")) read.open = flag;
    }
  }
  return read;
}

async function inCommand(
  command: Command,
  { words, given, open, isPastOptions }: ReadArgs,
  { word, live }: Typing,
): Promise<Completions> {
  if (open?.option) return valuesOf(open.option, { word, words, live });
  const isOption = word.startsWith("-") && !isPastOptions;
  const [, long, typed] = isOption ? (/^--([\w-]+)=(.*)$/s.exec(word) ?? []) : [];
  if (long !== undefined) {
    const flag = flagsOf(command).find((each) => each.long === long && each.takesValue);
    const { values } = await valuesOf(flag?.option ?? {}, { word: typed ?? "", words, live });
    return { values: values.map(({ value, text }) => ({ value: `--${long}=${value}`, text })) };
  }
  if (isOption)
    return {
      values: flagsOf(command)
        .filter((flag) => flag.option?.isRepeatable || !given.has(flag))
        .map((flag) => ({ value: `--${flag.long}`, text: flag.option?.text ?? "" })),
    };
  const known = command.arguments ?? [];
  const last = known.at(-1);
  const argument = known[words.length] ?? (last?.isVariadic ? last : undefined);
  // The words of a command that is to be run are mostly names of files.
  if (command.stopsAtArguments && words.length > 0) return { values: [], ask: "files" };
  return argument ? valuesOf(argument, { word, words, live }) : { values: [] };
}

const shellKinds: Partial<Record<ValueKind, ShellKind>> = {
  file: "files",
  folder: "folders",
  command: "commands",
};

async function valuesOf(
  { choices, kind = "text" }: { choices?: readonly string[]; kind?: ValueKind | readonly ValueKind[] },
  { word, words, live }: Typing & { words: readonly string[] },
): Promise<Completions> {
  if (choices) return { values: choices.map((value) => ({ value, text: "" })) };
  const kinds = typeof kind === "string" ? [kind] : kind;
  const asked = kinds.map((each) => shellKinds[each]).find((each) => each !== undefined);
  const values = await Promise.all(kinds.map((each) => valuesOfKind(each, { word, words, live })));
  return { values: values.flat(), ...(asked && { ask: asked }) };
}

async function valuesOfKind(
  kind: ValueKind,
  { word, words, live }: Typing & { words: readonly string[] },
): Promise<Completion[]> {
  if (kind !== "holdfast-command") return shellKinds[kind] ? [] : live(kind, { word, words });
  if (words.length === 0) return namesOf(commandList);
  const { command, args } = await findCommand(words);
  return isFamily(command) && args.length === 0 ? namesOf(command.subcommands) : [];
}
