import type { Command } from "../command.ts";
import { readOwnVersion } from "../own-version.ts";

export const command: Command = {
  examples: [
    { line: "holdfast version", text: "of this command" },
    { line: "holdfast version --json", text: "for programs" },
    { line: "holdfast version && holdfast doctor", text: "what to put into a bug report" },
  ],
  async run(context) {
    const version = readOwnVersion();
    if (context.isJson) return context.writeJson({ version });
    await context.output.write(`${version}\n`);
  },
};
