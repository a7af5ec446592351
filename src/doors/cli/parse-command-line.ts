import { parseArgs } from "node:util";
import type { Command, CommandCall, CommandOption } from "./command.ts";
import { commandList } from "./command-list.ts";
import { cliError } from "./errors.ts";
import type { Page } from "./render/style.ts";
import { nearest } from "./nearest.ts";

export type ParsedCommandLine =
  | { kind: "help"; text: string }
  | { kind: "call"; command: Command; call: CommandCall<object>; isJson: boolean };

/** Reads the arguments, loading only the command they name. Throws `usage` with what is wrong and what is near. */
export async function parseCommandLine(argv: readonly string[], page: Page): Promise<ParsedCommandLine> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h") {
    const { rootHelp } = await import("./help-text.ts");
    return { kind: "help", text: rootHelp(page) };
  }
  const listed = commandList.find((one) => one.name === name);
  if (!listed)
    throw unknown("command", { typed: name, known: commandList.map((one) => one.name) }, "holdfast --help");
  const { command } = await listed.load();
  const parsed = parseCall(command, rest, `holdfast ${name} --help`);
  if (parsed) return { kind: "call", command, ...parsed };
  const { commandHelp } = await import("./help-text.ts");
  return { kind: "help", text: commandHelp(listed, command, page) };
}

/** The call, and whether its answer is JSON; undefined when help was asked for. */
function parseCall(
  command: Command,
  args: string[],
  help: string,
): { call: CommandCall<object>; isJson: boolean } | undefined {
  const flags = [...(command.options ?? []).map(readFlags), JSON_FLAG, HELP_FLAG];
  const { words, given } = readWords(command, args, { flags, help });
  if (given.some(({ flag }) => flag === HELP_FLAG)) return undefined;
  checkArguments(command, words, help);
  // What `--no-x` takes away is there unless it is given.
  const options: Record<string, unknown> = Object.fromEntries(
    flags.filter(({ isNegated }) => isNegated).map(({ key }) => [key, true]),
  );
  for (const { flag, value } of given) {
    const { option, key } = flag;
    const read = flag.takesValue ? readValue(flag, value ?? "", help) : !flag.isNegated;
    options[key] = option?.isRepeatable ? [...((options[key] as unknown[] | undefined) ?? []), read] : read;
  }
  checkConflicts(flags, given, help);
  const { json, ...own } = options;
  return { call: { arguments: words, options: own }, isJson: json === true };
}

/** An option as it is typed: `-n, --limit <n>`. */
interface Flag {
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

// Not strict: what is wrong is said in our words, with what is near.
function readWords(
  command: Command,
  args: string[],
  { flags, help }: { flags: readonly Flag[]; help: string },
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
    args,
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
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const flag = flags.find(({ long }) => long === token.name);
    if (!flag)
      throw unknown("option", { typed: token.rawName, known: flags.map(({ long }) => `--${long}`) }, help);
    if (flag.takesValue && token.value === undefined)
      throw usage(`Option '${flag.option?.flags}' argument missing`, help);
    if (!flag.takesValue && token.value !== undefined)
      throw usage(`Option '--${flag.long}' takes no value`, help);
    given.push({ flag, value: token.value });
  }
  return { words, given };
}

function checkArguments({ arguments: known = [] }: Command, words: string[], help: string): void {
  known.forEach(({ name, isOptional }, index) => {
    if (!isOptional && words[index] === undefined) throw usage(`Missing required argument '${name}'`, help);
  });
  const isOpen = known.some(({ isVariadic }) => isVariadic);
  const expected = known.length;
  if (!isOpen && words.length > expected) {
    throw usage(
      `Too many arguments. Expected ${expected} argument${expected === 1 ? "" : "s"} but got ${words.length}`,
      help,
    );
  }
}

function readValue({ option }: Flag, typed: string, help: string): unknown {
  const wrong = (why: string): unknown =>
    usage(`Option '${option?.flags}' argument '${typed}' is invalid. ${why}`, help);
  if (option?.choices && !option.choices.includes(typed))
    throw wrong(`Allowed choices are ${option.choices.join(", ")}.`);
  if (!option?.parse) return typed;
  try {
    return option.parse(typed);
  } catch (error) {
    if (error instanceof RangeError) throw wrong(error.message);
    throw error;
  }
}

function checkConflicts(flags: readonly Flag[], given: readonly GivenFlag[], help: string): void {
  for (const { flag } of given) {
    for (const key of flag.option?.conflicts ?? []) {
      const other = flags.find((each) => each.key === key);
      if (!other || !given.some((each) => each.flag === other)) continue;
      const name = other.option?.flags ?? `--${other.long}`;
      throw usage(`Option '${flag.option?.flags}' cannot be used with option '${name}'`, help);
    }
  }
}

function unknown(
  what: "command" | "option",
  { typed, known }: { typed: string; known: readonly string[] },
  help: string,
): unknown {
  const near = nearest(typed, known);
  return usage(`Unknown ${what} '${typed}'${near === undefined ? "" : ` (Did you mean ${near}?)`}`, help);
}

function usage(message: string, help: string): unknown {
  return cliError("usage", message, { fields: { help } });
}
