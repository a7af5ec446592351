import { Command as Parser, CommanderError, InvalidArgumentError, Option } from "commander";
import type { Command, CommandCall, CommandOption } from "./command.ts";
import { commandList } from "./command-list.ts";
import { cliError } from "./errors.ts";
import type { HelpStyle } from "./help-text.ts";

export type ParsedCommandLine =
  | { kind: "help"; text: string }
  | { kind: "call"; command: Command; call: CommandCall<object> };

/** Reads the arguments, loading only the command they name. Throws `usage` with what is wrong and what is near. */
export async function parseCommandLine(
  argv: readonly string[],
  style: HelpStyle,
): Promise<ParsedCommandLine> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h") {
    const { rootHelp } = await import("./help-text.ts");
    return { kind: "help", text: rootHelp(style) };
  }
  const listed = commandList.find((one) => one.name === name);
  if (!listed) throw unknownCommand(name);
  const command = await listed.load();
  const call = parseCall(name, command, rest);
  if (call) return { kind: "call", command, call };
  const { commandHelp } = await import("./help-text.ts");
  return { kind: "help", text: commandHelp(listed, command, style) };
}

/** The call, or undefined when help was asked for. */
function parseCall(name: string, command: Command, args: string[]): CommandCall<object> | undefined {
  const parser = newParser(name);
  for (const { name: argument, isOptional, isVariadic } of command.arguments) {
    const word = isVariadic ? `${argument}...` : argument;
    parser.argument(isOptional ? `[${word}]` : `<${word}>`);
  }
  if (command.stopsAtArguments) parser.passThroughOptions();
  for (const option of command.options) parser.addOption(parserOption(option));
  parser.option("--json");
  try {
    parser.parse(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.code.startsWith("commander.help")) return undefined;
    throw usageError(error, `holdfast ${name} --help`);
  }
  return { arguments: parser.args, options: parser.opts() };
}

function parserOption({ flags, text, parse, choices, conflicts, isRepeatable }: CommandOption): Option {
  const option = new Option(flags, text);
  if (choices) option.choices(choices);
  if (conflicts) option.conflicts([...conflicts]);
  if (isRepeatable) {
    option.argParser((typed, before: unknown) => [
      ...(Array.isArray(before) ? (before as unknown[]) : []),
      parse ? parseValue(typed, parse) : typed,
    ]);
  } else if (parse) option.argParser((typed) => parseValue(typed, parse));
  return option;
}

function parseValue(typed: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(typed);
  } catch (error) {
    if (error instanceof RangeError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

function unknownCommand(name: string): unknown {
  const program = newParser("holdfast");
  for (const listed of commandList) program.addCommand(newParser(listed.name));
  try {
    program.parse([name], { from: "user" });
  } catch (error) {
    return usageError(error, "holdfast --help");
  }
  return cliError("usage", `Cannot run "${name}": no such command`);
}

// It must neither write nor exit by itself: errors and help leave through one door.
function newParser(name: string): Parser {
  const silent = { writeOut: () => {}, writeErr: () => {} };
  return new Parser(name).exitOverride().configureOutput(silent).helpCommand(false);
}

function usageError(error: unknown, help: string): unknown {
  if (!(error instanceof CommanderError)) return error;
  const message = error.message.replace(/^error: /, "").replaceAll("\n", " ");
  return cliError("usage", `${message.charAt(0).toUpperCase()}${message.slice(1)}`, { fields: { help } });
}
