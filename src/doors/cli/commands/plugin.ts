import type { CommandFamily } from "../command.ts";
import { listed } from "../command-list.ts";

export const command: CommandFamily = {
  examples: [
    { line: "holdfast plugin install", text: "adds the hooks to Claude Code's settings, with a backup" },
    {
      line: "holdfast plugin install --print",
      text: "only shows the hooks, so that you can add them by hand",
    },
    { line: "holdfast plugin uninstall", text: "removes exactly what install added" },
  ],
  subcommands: [
    listed("install", "Add the hooks to Claude Code's settings", () => import("./plugin/install.ts")),
    listed("uninstall", "Remove what install added", () => import("./plugin/uninstall.ts")),
  ],
};
