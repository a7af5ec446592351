import { defineCommand, type Command } from "../command.ts";
import { aliasesOf, commandList } from "../command-list.ts";
import { usageError } from "../errors.ts";
import { findCommand, isFamily, loadSubcommand } from "../find-command.ts";
import { commandHelp, fullHelp, rootHelp } from "../help-text.ts";

export const command: Command = defineCommand({
  arguments: [
    {
      name: "command",
      text: "the command to explain, with its subcommand (default: the everyday commands)",
      kind: "holdfast-command",
      isOptional: true,
      isVariadic: true,
    },
  ],
  examples: [
    { line: "holdfast help --all", text: "every command in one line" },
    { line: "holdfast help fleet up", text: "one command with its options" },
    { line: "holdfast help --json", text: "the list of commands, for programs" },
  ],
  options: [{ flags: "-a, --all", text: "every command, the environment and the exit codes" }],
  async run({ output, isJson, writeJson, environment: { stdout } }, { arguments: words, options: { all } }) {
    if (isJson) {
      return writeJson({
        commands: commandList.map(({ name, summary }) => ({ name, summary, aliases: aliasesOf(name) })),
      });
    }
    if (all && words.length > 0)
      throw usageError("help", "Cannot explain everything and one command: leave out --all, or the command");
    if (words.length === 0) return output.write(all ? fullHelp(stdout) : rootHelp(stdout));
    const found = await findCommand(words);
    const [rest] = found.args;
    // Fails: had it been one, it would have been found.
    if (rest !== undefined && isFamily(found.command)) await loadSubcommand(found, { name: rest, args: [] });
    if (rest !== undefined)
      throw usageError("help", `Cannot explain "${rest}": ${found.path} has no subcommands`);
    await output.write(commandHelp(found, stdout));
  },
});
