import type { Runtime } from "../../runtime/index.ts";
import type { Environment } from "./environment.ts";
import type { Output } from "./output.ts";

/** A command as a list names it: loaded only when it is used. */
export interface ListedCommand {
  name: string;
  summary: string;
  load: () => Promise<{ command: Command | CommandFamily }>;
}

/** One verb, as its file under commands/ exports it, under the name `command`. Data, so that help, parsing and errors need no code in it. */
export interface Command<Options extends object = object> {
  /** Its arguments, `<needed>` and `[optional]`, as `argumentTexts` explains them. */
  arguments?: readonly CommandArgument[];
  examples: CommandExamples;
  options?: readonly CommandOption[];
  /** What follows the first argument is no option of ours: `run grep -r x`. */
  stopsAtArguments?: boolean;
  /** A word may begin with a minus: `search error -word`. What is an option is one all the same. */
  takesMinusWords?: boolean;
  /** Ends with `ok` when it returns nothing. Declared as a method, so that commands of all options fit one list. */
  run(context: CommandContext, call: CommandCall<Options>): Promise<number | void>;
}

/** A command whose `run` gets its options in the types that their flags, choices and parsers say. */
export function defineCommand<const Options extends readonly CommandOption[]>(
  command: Command<ValuesOf<Options>> & { options: Options },
): Command {
  return command;
}

// What `--no-x` takes away is there unless it is given; the others, and what has an `--x`, too, only if they are.
type ValuesOf<Options extends readonly CommandOption[]> = {
  [
    Option in Options[number] as Option["flags"] extends `--no-${infer Name}`
      ? `--${Name}` extends Options[number]["flags"]
        ? never
        : Camel<Name>
      : never
  ]: boolean;
} & {
  [
    Option in Options[number] as Option["flags"] extends `--no-${string}` ? never : Key<Option>
  ]?: ValueOf<Option>;
};

type Key<Option extends CommandOption> = Option["flags"] extends `${string}--${infer Rest}`
  ? Camel<Rest extends `${infer Name} <${string}>` ? Name : Rest>
  : never;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type ValueOf<Option extends CommandOption> = Option extends { isRepeatable: true }
  ? OneValueOf<Option>[]
  : OneValueOf<Option>;

type OneValueOf<Option extends CommandOption> = Option extends { parse: (text: string) => infer Value }
  ? Value
  : Option extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Option["flags"] extends `${string}<${string}`
      ? string
      : boolean;

/** A command that is several: each has its own help, arguments and options, and takes no other's. */
export interface CommandFamily {
  examples: CommandExamples;
  subcommands: readonly ListedCommand[];
  /** The one that is meant where none is named: `archive 1b3e` is `archive add 1b3e`. */
  unnamed?: string;
}

export type CommandExamples = readonly [CommandExample, ...CommandExample[]];

/** What a value is, so that whoever completes it knows where to look. `text` is anything. */
export type ValueKind =
  | "task"
  | "running-task"
  | "session"
  | "run"
  | "message"
  | "question"
  | "agent"
  | "agent-type"
  | "command"
  | "holdfast-command"
  | "folder"
  | "file"
  | "text";

/** The lists that a person can choose from. */
export type PickedKind =
  | "session"
  /** Of this folder. */
  | "own-session"
  | "task"
  | "running-task"
  /** Agents that wait for an answer. */
  | "asking-task"
  | "remote-task"
  /** Agents that have ended, and sessions of this folder. */
  | "resumable";

export interface CommandArgument {
  name: string;
  text: string;
  /** Who gives none at a terminal chooses from this list. Only of the first argument. */
  pick?: PickedKind;
  /** Several where either is taken. */
  kind: ValueKind | readonly ValueKind[];
  choices?: readonly string[];
  isOptional?: boolean;
  /** Takes all that follow. */
  isVariadic?: boolean;
}

export interface CommandExample {
  line: string;
  text: string;
}

export interface CommandOption {
  /** `--limit <n>`, `-o, --output <file>`, `--no-tools`. */
  flags: string;
  text: string;
  /** Turns what was typed into a value; a RangeError says what is wrong with it. */
  parse?: (text: string) => unknown;
  choices?: readonly string[];
  /** What its value is, where it is neither a choice nor just text. */
  kind?: ValueKind;
  /** Who gives it without a value at a terminal chooses from this list. */
  pick?: PickedKind;
  /** May be given several times; the value is an array. */
  isRepeatable?: boolean;
  /** Options, by their names in the options object, that make no sense together with this one. */
  conflicts?: readonly string[];
}

export interface CommandCall<Options> {
  arguments: readonly string[];
  options: Options;
}

/** What every command is given. */
export interface CommandContext {
  readonly environment: Environment;
  /** Data. Everything else is talk. */
  readonly output: Output;
  /** With `--json`: data is one JSON object, written by `writeJson`. */
  readonly isJson: boolean;
  writeJson: (fields: object) => Promise<void>;
  /** Data, a line each. They are out when it resolves: what is said next stands below them. */
  writeLines: (lines: Iterable<string>) => Promise<void>;
  /** One line for people, on standard error. */
  say: (line: string) => void;
  /** Does it when everything that the command wrote is out; never, when it could not be written. */
  whenDelivered: (act: () => void | Promise<void>) => void;
  /** Everything below the home, opened when it is first asked for. */
  runtime: () => Promise<Runtime>;
}
