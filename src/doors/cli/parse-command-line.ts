import { parseArgs } from "node:util";
import type {
  Command,
  CommandArgument,
  CommandCall,
  CommandFamily,
  CommandOption,
  PickedKind,
  ValueKind,
} from "./command.ts";
import { plural } from "../../lib/quantities.ts";
import { shellWord } from "../../lib/shell-quote.ts";
import { usageError } from "./errors.ts";
import {
  findCommand,
  isFamily,
  loadSubcommand,
  subcommandsText,
  unknownError,
  type FoundCommand,
} from "./find-command.ts";
import type { Page } from "./render/style.ts";

export type ParsedCommandLine = { kind: "help"; text: string } | ({ kind: "call" } & ParsedCall);

interface ParsedCall {
  command: Command;
  call: CommandCall<object>;
  isJson: boolean;
  missing?: MissingValue | undefined;
}

/** What was not given, and can be chosen from a list. */
export interface MissingValue {
  pick: PickedKind;
  /** Its name in the options; undefined for the first argument. */
  option?: string;
  /** What is wrong where nobody can choose. */
  error: Error;
}

/** Reads the arguments, loading only the command they name. Throws `usage` with what is wrong and what is near. */
export async function parseCommandLine(argv: readonly string[], page: Page): Promise<ParsedCommandLine> {
  const [name] = argv;
  if (name === undefined || isHelpFlag(name)) {
    const { rootHelp } = await import("./help-text.ts");
    return { kind: "help", text: rootHelp(page) };
  }
  let found = await findCommand(argv);
  if (isFamily(found.command) && !asksOnlyForHelp(found.args))
    found = await findUnnamed(found, found.command);
  const { command, path, args } = found;
  const parsed = isFamily(command) ? undefined : parseCall(command, args, path);
  if (parsed) return { kind: "call", ...parsed };
  const { commandHelp } = await import("./help-text.ts");
  return { kind: "help", text: commandHelp(found, page) };
}

const isHelpFlag = (arg: string): boolean => arg === "--help" || arg === "-h";

function asksOnlyForHelp(args: readonly string[]): boolean {
  return args.some(isHelpFlag) && args.every((arg) => isHelpFlag(arg) || arg === "--json");
}

// Of a family, none of whose names was typed.
async function findUnnamed(found: FoundCommand, family: CommandFamily): Promise<FoundCommand> {
  const { path, args } = found;
  const name = family.unnamed ?? args.find((arg) => !arg.startsWith("-"));
  if (name === undefined) throw usageError(path, `Missing subcommand: ${subcommandsText(family)}`);
  return loadSubcommand(found, { name, args });
}

/** The call, and whether its answer is JSON; undefined when help was asked for. */
function parseCall(command: Command, args: string[], path: string): ParsedCall | undefined {
  const flags = flagsOf(command);
  const { words, given } = readWords(command, args, { flags, path });
  if (given.some(({ flag }) => flag === HELP_FLAG)) return undefined;
  const missing = missingOption(given, path) ?? missingArgument(command, words, path);
  if (missing?.option !== undefined || !missing) checkArguments(command, words, path);
  // What `--no-x` takes away is there unless it is given; where there is an `--x`, too, only what is given is there.
  const isAsked = ({ key, isNegated }: Flag): boolean =>
    isNegated && !flags.some((other) => other.key === key && !other.isNegated);
  const options: Record<string, unknown> = Object.fromEntries(
    flags.filter(isAsked).map(({ key }) => [key, true]),
  );
  for (const { flag, value } of given) {
    const { option, key } = flag;
    if (key === missing?.option) continue;
    const read = flag.takesValue ? readValue(flag, value ?? "", path) : !flag.isNegated;
    options[key] = option?.isRepeatable ? [...((options[key] as unknown[] | undefined) ?? []), read] : read;
  }
  checkConflicts(flags, given, path);
  const { json, ...own } = options;
  return { command, call: { arguments: words, options: own }, isJson: json === true, missing };
}

/** An option as it is typed: `-n, --limit <n>`. */
export interface Flag {
  option?: CommandOption;
  long: string;
  short?: string | undefined;
  /** Its name in the options object: `maxOutput` for `--max-output`, `tools` for `--no-tools`. */
  key: string;
  takesValue: boolean;
  isNegated: boolean;
}

const JSON_FLAG: Flag = { long: "json", key: "json", takesValue: false, isNegated: false };
const HELP_FLAG: Flag = { long: "help", short: "h", key: "help", takesValue: false, isNegated: false };

/** Everything that begins with a dash and that a command takes. */
export function flagsOf({ options = [] }: Command): Flag[] {
  return [...options.map(readFlags), JSON_FLAG, HELP_FLAG];
}

function readFlags(option: CommandOption): Flag {
  const [, short, long = "", value] = /^(?:-(\w), )?--([\w-]+)(?: (<.+>))?$/.exec(option.flags) ?? [];
  const isNegated = long.startsWith("no-");
  const key = (isNegated ? long.slice(3) : long).replace(/-(\w)/g, (_, letter: string) =>
    letter.toUpperCase(),
  );
  return { option, long, short, key, takesValue: value !== undefined, isNegated };
}

interface GivenFlag {
  flag: Flag;
  value: string | undefined;
}

/** Before an argument that is none of our options, though it begins as they do. No argument of a process holds it. */
const WORD = "\0";

function isMinusWord(arg: string, flags: readonly Flag[]): boolean {
  const [, letter, rest = ""] = /^-([^-])(.*)$/su.exec(arg) ?? [];
  if (letter === undefined) return false;
  const flag = flags.find(({ short }) => short === letter);
  return !flag || (rest !== "" && !/^=?\d/.test(rest));
}

// Not strict: what is wrong is said in our words, with what is near.
function readWords(
  command: Command,
  args: string[],
  { flags, path }: { flags: readonly Flag[]; path: string },
): { words: string[]; given: GivenFlag[] } {
  const config = Object.fromEntries(
    flags.map(({ long, short, takesValue }) => [
      long,
      {
        type: takesValue ? ("string" as const) : ("boolean" as const),
        ...(short !== undefined && { short }),
        multiple: true,
      },
    ]),
  );
  const { tokens } = parseArgs({
    args: command.takesMinusWords ? args.map((arg) => (isMinusWord(arg, flags) ? WORD + arg : arg)) : args,
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const words: string[] = [];
  const given: GivenFlag[] = [];
  for (const token of tokens) {
    // From its first argument on, everything belongs to the command that is to be run.
    if (command.stopsAtArguments && token.kind === "positional")
      return { words: args.slice(token.index), given };
    if (token.kind === "positional")
      words.push(token.value.startsWith(WORD) ? token.value.slice(WORD.length) : token.value);
    if (token.kind !== "option") continue;
    const flag = flags.find(({ long }) => long === token.name);
    if (!flag)
      throw unknownError("option", {
        typed: token.rawName,
        known: flags.map(({ long }) => `--${long}`),
        path,
      });
    if (flag.takesValue && token.value === undefined && flag.option?.pick === undefined)
      throw noValue(flag, path);
    if (!flag.takesValue && token.value !== undefined)
      throw usageError(path, `Option '--${flag.long}' takes no value`);
    given.push({ flag, value: token.value });
  }
  return { words, given };
}

function noValue({ option }: Flag, path: string): Error {
  return usageError(path, `Option '${option?.flags}' argument missing`);
}

function missingOption(given: readonly GivenFlag[], path: string): MissingValue | undefined {
  const bare = given.find(({ flag, value }) => flag.takesValue && value === undefined);
  if (!bare?.flag.option?.pick) return undefined;
  const { flag } = bare;
  return { pick: flag.option!.pick!, option: flag.key, error: noValue(flag, path) };
}

function missingArgument(
  { arguments: [first] = [] }: Command,
  words: readonly string[],
  path: string,
): MissingValue | undefined {
  if (first?.pick === undefined || words.length > 0) return undefined;
  return { pick: first.pick, error: noArgument(first, path) };
}

function noArgument({ name, kind }: CommandArgument, path: string): Error {
  const lists = [kind].flat().flatMap((each) => whereListed[each] ?? []);
  const where = lists.length === 0 ? "" : `: ${lists.join(", ")}`;
  return usageError(path, `Missing required argument '${name}'${where}`);
}

/** Where a person finds a value of the kind. */
const whereListed: Partial<Record<ValueKind, string>> = {
  task: "`holdfast ps -a` lists tasks; @last is the newest",
  "running-task": "`holdfast ps` lists what runs; @last is the newest task",
  session: "`holdfast sessions` lists sessions; @last is the newest",
};

function checkArguments({ arguments: known = [] }: Command, words: string[], path: string): void {
  known.forEach((argument, index) => {
    const { name, isOptional, choices } = argument;
    const word = words[index];
    if (!isOptional && word === undefined) throw noArgument(argument, path);
    if (word !== undefined && choices && !choices.includes(word))
      throw usageError(path, `Argument '${name}' cannot be '${word}'. ${allowed(choices)}`);
  });
  const isOpen = known.some(({ isVariadic }) => isVariadic);
  const expected = known.length;
  if (isOpen || words.length <= expected) return;
  const taken = expected === 0 ? "no arguments" : plural(expected, "argument");
  // A text of several words is what people forget to quote.
  const isText = known.at(-1)?.kind === "text" && !known.at(-1)?.choices;
  const quoted = shellWord(words.slice(expected - 1).join(" "));
  throw usageError(
    path,
    `Too many arguments: ${path} takes ${taken}, not ${words.length}${isText ? `; in quotes they are one: ${quoted}` : ""}`,
  );
}

function readValue({ option }: Flag, typed: string, path: string): unknown {
  const wrong = (why: string): unknown =>
    usageError(path, `Option '${option?.flags}' argument '${typed}' is invalid. ${why}`);
  if (option?.choices && !option.choices.includes(typed)) throw wrong(allowed(option.choices));
  if (!option?.parse) return typed;
  try {
    return option.parse(typed);
  } catch (error) {
    if (error instanceof RangeError) throw wrong(error.message);
    throw error;
  }
}

function allowed(choices: readonly string[]): string {
  return `Allowed choices are ${choices.join(", ")}.`;
}

function checkConflicts(flags: readonly Flag[], given: readonly GivenFlag[], path: string): void {
  for (const { flag } of given) {
    for (const key of flag.option?.conflicts ?? []) {
      const other = flags.find((each) => each.key === key);
      if (!other || !given.some((each) => each.flag === other)) continue;
      const name = other.option?.flags ?? `--${other.long}`;
      throw usageError(path, `Option '${flag.option?.flags}' cannot be used with option '${name}'`);
    }
  }
}
