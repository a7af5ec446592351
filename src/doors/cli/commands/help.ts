import type { Command } from "../command.ts";
import { commandList } from "../command-list.ts";
import { usageError } from "../errors.ts";
import { findCommand, isFamily, loadSubcommand } from "../find-command.ts";
import { commandHelp, rootHelp } from "../help-text.ts";

export const command: Command = {
  arguments: [
    {
      name: "command",
      text: "what to explain, with its subcommand if it has some; without it, everything in short",
      kind: "holdfast-command",
      isOptional: true,
      isVariadic: true,
    },
  ],
  examples: [
    { line: "holdfast help", text: "every command in one line" },
    { line: "holdfast help fleet up", text: "one command with its options" },
    { line: "holdfast help --json", text: "the list of commands, for programs" },
  ],
  async run({ output, isJson, writeJson, environment: { stdout } }, { arguments: words }) {
    if (isJson) {
      return writeJson({
        commands: commandList.map((listed) => ({ name: listed.name, summary: listed.summary })),
      });
    }
    if (words.length === 0) return output.write(rootHelp(stdout));
    const found = await findCommand(words);
    const [rest] = found.args;
    // Fails: had it been one, it would have been found.
    if (rest !== undefined && isFamily(found.command)) await loadSubcommand(found, { name: rest, args: [] });
    if (rest !== undefined)
      throw usageError("help", `Cannot explain "${rest}": ${found.path} has no subcommands`);
    await output.write(commandHelp(found, stdout));
  },
};
