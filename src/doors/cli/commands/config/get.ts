import type { Command } from "../../command.ts";
import { settingText } from "../../../../runtime/setting-text.ts";
import { settingArgument } from "./setting-argument.ts";

export const command: Command = {
  arguments: [settingArgument],
  examples: [{ line: "holdfast config get permission", text: "its value in this folder" }],
  async run(context, { arguments: [key = ""] }) {
    const { settings } = await context.runtime();
    const { settings: all } = await settings.list(context.environment);
    const { value = null, from } = all.find((each) => each.key === key)!;
    if (context.isJson) return context.writeJson({ key, value, from });
    await context.writeLines(value === null ? [] : [settingText(value)]);
  },
};
