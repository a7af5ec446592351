import { aliasesOf } from "../src/doors/cli/command-list.ts";
import { exitCodesText } from "../src/doors/cli/exit-codes.ts";
import { isFamily } from "../src/doors/cli/find-command.ts";
import {
  argumentItems,
  commonOptions,
  optionItems,
  rootOptions,
  usageOf,
  variables,
  type HelpItem,
} from "../src/doors/cli/help-text.ts";
import type { WalkedCommand } from "../src/doors/cli/walk-commands.ts";
import { code, table } from "./markdown-table.ts";

/** Every command with its arguments, options and examples: what docs/reference/commands.md holds. */
export function commandsMarkdown(commands: readonly WalkedCommand[]): string {
  const groups = [...new Set(commands.map(({ group }) => group))];
  const sections = groups.map((title) => {
    const own = commands.filter(({ group }) => group === title);
    return [`## ${title}`, ...own.map(commandSection)].join("\n\n");
  });
  return `${[HEADER, contents(commands, groups), ...sections, common()].join("\n\n")}\n`;
}

const HEADER = `# Commands

Every command, as \`holdfast help <command>\` explains it. \`npm run reference\` makes this page, and the manual page
(\`man holdfast\`), of the same data; do not edit it. How things are done is in the [guides](../guide/); what an error code means,
in [errors.md](../errors.md).`;

function contents(commands: readonly WalkedCommand[], groups: readonly string[]): string {
  const lines = groups.map((title) => {
    const roots = commands.filter(({ group, path }) => group === title && !path.includes(" "));
    return `- ${title}: ${roots.map(({ path }) => `[${path}](#holdfast-${path})`).join(", ")}`;
  });
  return [...lines, "- [What all commands have](#what-all-commands-have)"].join("\n");
}

function commandSection({ path, summary, command }: WalkedCommand): string {
  const aliases = aliasesOf(path).map((alias) => code(`holdfast ${alias}`));
  return [
    `### holdfast ${path}`,
    `${summary}.${aliases.length > 0 ? ` Also ${aliases.join(" and ")}.` : ""}`,
    ["```text", `holdfast ${path} ${usageOf(command).join(" ")}`, "```"].join("\n"),
    ...(isFamily(command)
      ? [
          itemTable(
            "subcommand",
            command.subcommands.map(({ name, summary: text }) => ({ term: name, text })),
          ),
        ]
      : [itemTable("argument", argumentItems(command)), itemTable("option", optionItems(command))]),
    exampleBlock(command.examples),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function itemTable(what: string, items: readonly HelpItem[]): string {
  if (items.length === 0) return "";
  return table(
    [what, "what it is"],
    items.map(({ term, text }) => [code(term), text.replaceAll("<", "\\<").replaceAll("*", "\\*")]),
  );
}

function exampleBlock(examples: readonly { line: string; text: string }[]): string {
  const width = Math.max(...examples.map(({ line }) => line.length));
  const lines = examples.map(({ line, text }) => `${line.padEnd(width)}  # ${text}`);
  return ["```sh", ...lines, "```"].join("\n");
}

function common(): string {
  return [
    "## What all commands have",
    itemTable("option", commonOptions),
    "`holdfast` itself takes:",
    itemTable("option", rootOptions),
    "Variables that it reads:",
    itemTable("variable", variables),
    `Exit codes: ${exitCodesText}.`,
  ].join("\n\n");
}
