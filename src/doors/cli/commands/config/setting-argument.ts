import { settingKeys } from "../../../../runtime/setting-keys.ts";
import type { CommandArgument } from "../../command.ts";

export const settingArgument: CommandArgument = {
  name: "setting",
  text: "by its path, as config list shows it",
  kind: "text",
  choices: settingKeys,
};
