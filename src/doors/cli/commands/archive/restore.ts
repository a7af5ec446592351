import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { Command } from "../../command.ts";
import { withProgressBar } from "../../progress-bar.ts";
import { displayPath } from "../../render/display-path.ts";
import { sessionArgument } from "../../session-argument.ts";

export const command: Command = {
  arguments: [{ ...sessionArgument, text: "archived sessions: ids or unique beginnings", isVariadic: true }],
  examples: [
    { line: "holdfast archive restore 1b3e", text: "byte for byte as it was" },
    { line: "holdfast archive restore 1b3e 77a0 --json", text: "say in JSON where they are now" },
  ],
  async run(context, { arguments: ids }) {
    const { sessions: store } = await context.runtime();
    const opened = await store.openArchive();
    const restored: Record<string, unknown>[] = [];
    try {
      for (const id of ids) {
        const {
          sessionId,
          projectKey: project,
          path,
        } = await withProgressBar(context, "Restoring", async (onProgress) =>
          opened.restore(id, { onProgress }),
        );
        restored.push({ sessionId, project, path });
        if (!context.isJson)
          context.say(
            `Restored session ${terminalLine(sessionId)} to ${displayPath(path, context.environment.userHome)}`,
          );
      }
    } finally {
      opened.close();
    }
    if (context.isJson) await context.writeJson({ restored });
  },
};
