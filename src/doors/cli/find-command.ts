import type { Command, CommandFamily, ListedCommand } from "./command.ts";
import { commandAliases, commandList } from "./command-list.ts";
import { usageError } from "./errors.ts";
import { nearest } from "./nearest.ts";

export interface FoundCommand {
  /** As it is typed: `fleet up`. */
  path: string;
  summary: string;
  command: Command | CommandFamily;
  /** What was typed besides its path. */
  args: string[];
}

/**
 * The command that the words name, down to a subcommand if they name one; only what is on the way is loaded. Throws `usage`
 * for a name that is none.
 */
export async function findCommand([typed = "", ...args]: readonly string[]): Promise<FoundCommand> {
  const name = Object.hasOwn(commandAliases, typed) ? commandAliases[typed]! : typed;
  const listed = commandList.find((one) => one.name === name);
  if (!listed) {
    const known = [...namesOf(commandList), ...Object.keys(commandAliases)];
    throw unknownError("command", { typed, known, path: "" });
  }
  const found = await load(listed, { path: name, args });
  const { command } = found;
  if (!isFamily(command)) return found;
  const at = subcommandIn(command, args);
  if (at < 0) return found;
  return loadSubcommand(found, { name: args[at]!, args: args.toSpliced(at, 1) });
}

/** A subcommand of a family. Throws `usage` for a name that is none. */
export async function loadSubcommand(
  { path, command }: FoundCommand,
  { name, args }: { name: string; args: string[] },
): Promise<FoundCommand> {
  const family = command as CommandFamily;
  const listed = family.subcommands.find((one) => one.name === name);
  if (!listed)
    throw unknownError("subcommand", {
      typed: name,
      known: namesOf(family.subcommands),
      path,
      all: subcommandsText(family),
    });
  return load(listed, { path: `${path} ${name}`, args });
}

export function isFamily(command: Command | CommandFamily): command is CommandFamily {
  return "subcommands" in command;
}

// It comes first, or behind options: `fleet --slots 4 worker`.
function subcommandIn({ subcommands }: CommandFamily, args: readonly string[]): number {
  const at = args.findIndex((arg) => namesOf(subcommands).includes(arg));
  return at > 0 && !args[0]!.startsWith("-") ? -1 : at;
}

async function load(
  { summary, load: loadModule }: ListedCommand,
  { path, args }: { path: string; args: string[] },
): Promise<FoundCommand> {
  return { path, summary, command: (await loadModule()).command, args };
}

function namesOf(commands: readonly ListedCommand[]): string[] {
  return commands.map(({ name }) => name);
}

/** The subcommands of a family as a sentence names them. */
export function subcommandsText({ subcommands }: CommandFamily): string {
  const names = namesOf(subcommands);
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

// All of them begin with dashes, which says nothing of how near they are.
function nearestOption(typed: string, known: readonly string[]): string | undefined {
  const bare = (name: string): string => name.replace(/^-+/, "");
  const near = nearest(bare(typed), known.map(bare));
  return near === undefined ? undefined : `--${near}`;
}

/** Says what is not known, and what is near; else what there is, where that is short. */
export function unknownError(
  what: "command" | "subcommand" | "option",
  { typed, known, path, all }: { typed: string; known: readonly string[]; path: string; all?: string },
): Error {
  const near = what === "option" ? nearestOption(typed, known) : nearest(typed, known);
  const hint = near === undefined ? all && `: it is ${all}` : ` (Did you mean ${near}?)`;
  return usageError(path, `Unknown ${what} '${typed}'${hint ?? ""}`);
}
