import type { IndexTrouble } from "../../store/index/derived-index.ts";
import type { Runtime } from "../../runtime/index.ts";
import type { Environment } from "./environment.ts";
import type { Output } from "./output.ts";

/** One verb, as its file under commands/ exports it, under the name `command`. Data, so that help, parsing and errors need no code in it. */
export interface Command<Options extends object = object> {
  /** Its arguments, `<needed>` and `[optional]`, as `argumentTexts` explains them. */
  arguments?: readonly CommandArgument[];
  examples: readonly [CommandExample, CommandExample, CommandExample];
  options?: readonly CommandOption[];
  /** What follows the first argument is no option of ours: `run grep -r x`. */
  stopsAtArguments?: boolean;
  /** Ends with `ok` when it returns nothing. Declared as a method, so that commands of all options fit one list. */
  run(context: CommandContext, call: CommandCall<Options>): Promise<number | void>;
}

export interface CommandArgument {
  name: string;
  text: string;
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
  writeJson: (fields: Record<string, unknown>) => Promise<void>;
  /** Data, a line each. They are out when it resolves: what is said next stands below them. */
  writeLines: (lines: Iterable<string>) => Promise<void>;
  /** One line for people, on standard error. */
  say: (line: string) => void;
  /** Says that a folder is left out, because it may not be read. */
  onUnreadable: (dir: string, error: Error) => void;
  /** Says that the index is of no use at the moment, so that this answer takes longer. */
  onIndexTrouble: (trouble: IndexTrouble) => void;
  /** Does it when everything that the command wrote is out; never, when it could not be written. */
  whenDelivered: (act: () => void | Promise<void>) => void;
  /** Everything below the home, opened when it is first asked for. */
  runtime: () => Promise<Runtime>;
}
