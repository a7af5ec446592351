import { configPaths } from "../../../../format/paths.ts";
import { defineCommand, type Command } from "../../command.ts";
import { displayPath } from "../../render/display-path.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast plugin install", text: "with a backup of the settings" },
    {
      line: "holdfast plugin install --print",
      text: "only shows the hooks, so that you can add them by hand",
    },
    { line: "holdfast plugin install --wake --dry-run", text: "only shows what would be changed" },
  ],
  options: [
    { flags: "--print", text: "print the hooks and change nothing", conflicts: ["dryRun"] },
    { flags: "--dry-run", text: "only show what would be changed" },
    { flags: "--wake", text: "also wake an idle session when one of its Holdfast tasks has ended" },
  ],
  async run(context, { options }) {
    const { environment, output, say } = context;
    const { plugin } = await context.runtime();
    const { settingsFile } = configPaths(environment.configDir);
    const shown = displayPath(settingsFile, environment.userHome);
    const hooks = await plugin.hooks(options);
    if (options.print) return output.write(`${JSON.stringify({ hooks }, null, 2)}\n`);
    if (options.dryRun) {
      const { isInstalled } = await plugin.status(options);
      if (context.isJson)
        return context.writeJson({
          status: isInstalled ? "unchanged" : "would-install",
          settings: settingsFile,
          hooks,
        });
      return say(
        isInstalled
          ? `The hooks are in ${shown} already.`
          : `Would add hooks for ${Object.keys(hooks).join(", ")} to ${shown}; nothing was changed.`,
      );
    }
    const outcome = await plugin.install(options);
    if (context.isJson) return context.writeJson({ ...outcome });
    if (outcome.status === "unchanged") return say(`The hooks are in ${shown} already.`);
    say(`Added the hooks to ${shown}. Sessions that start from now on use them.`);
    if (outcome.backup !== undefined)
      say(`Backup of the settings: ${displayPath(outcome.backup, environment.userHome)}`);
    say("Undo: holdfast plugin uninstall");
  },
});
