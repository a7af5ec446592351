import type { Command } from "../../command.ts";
import { displayPath } from "../../render/display-path.ts";
import { settingText } from "../../../../runtime/setting-text.ts";
import { settingArgument } from "./setting-argument.ts";

export const command: Command = {
  arguments: [
    settingArgument,
    { name: "value", text: "without a value, the setting is removed", kind: "text", isOptional: true },
  ],
  examples: [
    { line: "holdfast config set permission rules", text: "your rules decide about tools, then you" },
    { line: "holdfast config set limits.timeout 30m", text: "no agent takes longer" },
    { line: "holdfast config set model", text: "unset it" },
  ],
  async run(context, { arguments: [key = "", text] }) {
    const { settings, settingsFile } = await context.runtime();
    await settings.set(key, text);
    const { settings: all } = await settings.list(context.environment);
    const { value = null, from } = all.find((each) => each.key === key)!;
    if (context.isJson) return context.writeJson({ key, value, from, path: settingsFile });
    const { userHome } = context.environment;
    // A variable or the folder's own settings may come before what was written.
    const isOther = text !== undefined && from.kind !== "file";
    const why =
      from.kind === "variable" ? from.name : from.kind === "project" ? displayPath(from.path, userHome) : "";
    context.say(
      `${text === undefined ? "Taken out of" : "Written to"} ${displayPath(settingsFile, userHome)}.${isOther ? ` Here ${key} is ${settingText(value)}, because of ${why}.` : ""}`,
    );
  },
};
