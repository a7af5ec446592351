import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { configPaths } from "../../../../format/paths.ts";
import { hookSettings, type HookProgram } from "../../../../recovery/plugin/hook-settings.ts";
import { installHooks } from "../../../../recovery/plugin/install-hooks.ts";
import { readSettingsFile, withHooks } from "../../../../recovery/plugin/settings-file.ts";
import type { Command } from "../../command.ts";
import { displayPath } from "../../render/display-path.ts";

interface InstallOptions {
  print?: boolean;
  dryRun?: boolean;
  wake?: boolean;
}

export const command: Command<InstallOptions> = {
  examples: [
    { line: "holdfast plugin install", text: "with a backup of the settings" },
    { line: "holdfast plugin install --print", text: "only shows the hooks, to put them in by hand" },
    { line: "holdfast plugin install --wake --dry-run", text: "only says what would be changed" },
  ],
  options: [
    { flags: "--print", text: "print the hooks and change nothing", conflicts: ["dryRun"] },
    { flags: "--dry-run", text: "say what would be changed" },
    { flags: "--wake", text: "also wake an idle session when a Holdfast task of it has ended" },
  ],
  async run(context, { options }) {
    const { environment, output, say } = context;
    const place = { home: environment.home, settings: configPaths(environment.configDir).settingsFile };
    const shown = displayPath(place.settings, environment.userHome);
    const hooks = hookSettings(hookProgram(), { wake: options.wake ?? false });
    if (options.print) return output.write(`${JSON.stringify({ hooks }, null, 2)}\n`);
    if (options.dryRun) {
      const { value } = readSettingsFile(place.settings);
      const isChange = JSON.stringify(withHooks(value, hooks)) !== JSON.stringify(value);
      if (context.isJson)
        return context.writeJson({
          status: isChange ? "would-install" : "unchanged",
          settings: place.settings,
          hooks,
        });
      return say(
        isChange
          ? `Would add hooks for ${Object.keys(hooks).join(", ")} to ${shown}; nothing is changed.`
          : `The hooks are in ${shown} already.`,
      );
    }
    const outcome = installHooks(place, hooks, { now: new Date() });
    if (context.isJson) return context.writeJson({ ...outcome });
    if (outcome.status === "unchanged") return say(`The hooks are in ${shown} already.`);
    say(`Added the hooks to ${shown}. Sessions that start from now on use them.`);
    if (outcome.backup !== undefined)
      say(`The settings from before: ${displayPath(outcome.backup, environment.userHome)}`);
    say("Undo: holdfast plugin uninstall");
  },
};

/** This very Node and this very installation: found also where neither is on the PATH. */
function hookProgram(): HookProgram {
  const built = fileURLToPath(new URL("./hook.cjs", import.meta.url));
  if (fs.existsSync(built)) return { command: process.execPath, args: [built] };
  const clone = fileURLToPath(new URL("../../../../../bin/holdfast.js", import.meta.url));
  return { command: process.execPath, args: [clone, "hook"] };
}
