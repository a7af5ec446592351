import { configPaths } from "../../../../format/paths.ts";
import type { Command } from "../../command.ts";
import { displayPath } from "../../render/display-path.ts";

export const command: Command = {
  examples: [
    {
      line: "holdfast plugin uninstall",
      text: "the settings are as they were before, if nobody changed them",
    },
  ],
  async run(context) {
    const { configDir, userHome } = context.environment;
    const settings = configPaths(configDir).settingsFile;
    const outcome = await (await context.runtime()).plugin.uninstall();
    if (context.isJson) return context.writeJson(outcome);
    context.say(
      outcome.status === "removed"
        ? `Took the hooks out of ${displayPath(settings, userHome)}.`
        : "No hooks of ours are installed.",
    );
  },
};
