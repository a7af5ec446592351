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
        ? `Removed the hooks from ${displayPath(settings, userHome)}.`
        : "Holdfast's hooks are not installed.",
    );
  },
};
