import type { Command } from "../../command.ts";

export const command: Command = {
  examples: [
    { line: "holdfast config path", text: "the file that config set writes; it need not exist yet" },
  ],
  async run(context) {
    const { settingsFile } = await context.runtime();
    if (context.isJson) return context.writeJson({ path: settingsFile });
    await context.writeLines([settingsFile]);
  },
};
