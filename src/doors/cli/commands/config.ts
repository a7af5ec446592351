import type { CommandFamily } from "../command.ts";
import { listed } from "../command-list.ts";

export const command: CommandFamily = {
  examples: [
    { line: "holdfast config", text: "every setting, and where its value comes from" },
    {
      line: "holdfast config set agent codex",
      text: "the agent for chat and agent, unless an option names one",
    },
    { line: "holdfast config set limits.maxCost 2", text: "no agent of yours costs more than two dollars" },
  ],
  unnamed: "list",
  subcommands: [
    listed(
      "list",
      "List the settings of this folder, and where they come from",
      () => import("./config/list.ts"),
    ),
    listed("get", "Print one setting", () => import("./config/get.ts")),
    listed("set", "Change or unset a setting", () => import("./config/set.ts")),
    listed("path", "Print where your settings are", () => import("./config/path.ts")),
  ],
};
