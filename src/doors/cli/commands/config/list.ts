import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { Setting } from "../../../../store/config/settle-config.ts";
import type { Command } from "../../command.ts";
import { displayPath } from "../../render/display-path.ts";
import { renderTable, type TableColumn } from "../../render/table.ts";
import { settingText } from "../../../../runtime/setting-text.ts";

export const command: Command = {
  examples: [{ line: "holdfast config list", text: "for this folder" }],
  async run(context) {
    const { settings } = await context.runtime();
    const { cwd, userHome, stdout } = context.environment;
    const { settings: all, projects } = await settings.list({ cwd });
    if (context.isJson)
      return context.writeJson({
        settings: all.map(({ key, value = null, from }) => ({ key, value, from })),
        ignored: projects.flatMap(({ file, ignored }) => ignored.map((key) => ({ key, path: file }))),
      });
    const columns: TableColumn<Setting>[] = [
      { title: "SETTING", value: ({ key }) => key, paint: "cyan" },
      { title: "VALUE", value: ({ value }) => terminalLine(settingText(value)), widthMin: 12 },
      {
        title: "FROM",
        value: (each) => terminalLine(sourceText(each, userHome)),
        widthMin: 16,
        isPath: true,
        paint: "dim",
      },
      { title: "WHAT", value: ({ description }) => description, widthMin: 20, dropOrder: 1 },
    ];
    await context.writeLines(renderTable(all, columns, stdout));
    for (const { file, ignored } of projects)
      if (ignored.length > 0)
        context.say(
          `${terminalLine(displayPath(file, userHome))}: ${terminalLine(ignored.join(", "))} ignored; a project may only narrow permission and limits.`,
        );
  },
};

function sourceText({ from, value }: Setting, userHome: string): string {
  switch (from.kind) {
    case "default":
      return value === undefined ? "" : "default";
    case "variable":
      return from.name;
    case "file":
    case "project":
      return displayPath(from.path, userHome);
  }
}
