import type { CommandFamily } from "../command.ts";
import { listed } from "../command-list.ts";

export const command: CommandFamily = {
  examples: [
    { line: "holdfast plugin install", text: "wires the hooks into Claude Code's settings, with a backup" },
    { line: "holdfast plugin install --print", text: "only shows the hooks, to put them in by hand" },
    { line: "holdfast plugin uninstall", text: "takes out exactly what install put in" },
  ],
  subcommands: [
    listed("install", "Add the hooks to Claude Code's settings", () => import("./plugin/install.ts")),
    listed("uninstall", "Take out what install put in", () => import("./plugin/uninstall.ts")),
  ],
};
