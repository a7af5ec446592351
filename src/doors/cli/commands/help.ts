import type { Command } from "../command.ts";
import { commandList } from "../command-list.ts";
import { parseCommandLine } from "../parse-command-line.ts";

export const command: Command = {
  arguments: [
    { name: "command", text: "what to explain; without it, everything in short", isOptional: true },
  ],
  examples: [
    { line: "holdfast help", text: "every command in one line" },
    { line: "holdfast help show", text: "one command with its options" },
    { line: "holdfast help --json", text: "the list of commands, for programs" },
  ],
  async run({ output, isJson, writeJson, environment: { stdout } }, { arguments: [name] }) {
    if (isJson) {
      return writeJson({
        commands: commandList.map((listed) => ({ name: listed.name, summary: listed.summary })),
      });
    }
    const argv = name === undefined ? ["--help"] : [name, "--help"];
    const parsed = await parseCommandLine(argv, stdout);
    if (parsed.kind === "help") await output.write(parsed.text);
  },
};
