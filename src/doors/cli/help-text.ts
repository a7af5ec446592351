import type { Command, CommandArgument, CommandExample, CommandFamily } from "./command.ts";
import { aliasesOf, commandList, everydayCommands, type RootCommand } from "./command-list.ts";
import { exitCodesText } from "./exit-codes.ts";
import { isFamily, type FoundCommand } from "./find-command.ts";
import { displayWidth } from "./render/display-width.ts";
import type { Page } from "./render/style.ts";
import { wrapText } from "./render/wrap-text.ts";

/** Something that is explained, and what it is. */
export interface HelpItem {
  term: string;
  text: string;
}

/** One line on what it does, usage, examples, then everything else. */
export function commandHelp({ path, summary, command }: FoundCommand, help: Page): string {
  return joinParts([
    `${help.style.bold(`holdfast ${path}`)}: ${summary}`,
    [
      `${help.style.bold("Usage:")} holdfast ${path} ${usageOf(command).join(" ")}`,
      ...aliasesOf(path).map((alias) => `${help.style.bold("   or:")} holdfast ${alias}`),
    ].join("\n"),
    examplesPart(command.examples, help),
    ...(isFamily(command) ? familyParts(path, command, help) : verbParts(command, help)),
    exitCodesPart(help),
  ]);
}

/** What follows the command when it is typed. */
export function usageOf(command: Command | CommandFamily): string[] {
  if (isFamily(command))
    return [command.unnamed === undefined ? "<subcommand>" : "[subcommand]", "[options]"];
  const words = (command.arguments ?? []).map((argument) =>
    argument.isOptional ? `[${wordOf(argument)}]` : `<${wordOf(argument)}>`,
  );
  // What follows the first argument of such a command belongs to what it runs.
  return command.stopsAtArguments ? ["[options]", "--", ...words] : [...words, "[options]"];
}

function verbParts(command: Command, help: Page): string[] {
  return [
    listPart("Arguments:", argumentItems(command), help),
    listPart("Options:", [...optionItems(command), ...commonOptions], help),
  ];
}

export function argumentItems({ arguments: known = [] }: Command): HelpItem[] {
  return known.map((argument) => ({ term: wordOf(argument), text: withChoices(argument) }));
}

export function optionItems({ options = [] }: Command): HelpItem[] {
  return options.map((option) => ({ term: option.flags, text: withChoices(option) }));
}

function familyParts(path: string, { subcommands, unnamed }: CommandFamily, help: Page): string[] {
  const items = subcommands.map(({ name, summary }) => ({
    term: name,
    text: name === unnamed ? `${summary} (the default)` : summary,
  }));
  return [
    listPart("Subcommands:", items, help),
    listPart("Options:", commonOptions, help),
    wrapText(`Explain one of them: holdfast help ${path} <subcommand>`, help.columns).join("\n"),
  ];
}

/** What `holdfast` alone says: what is used every day, on one screen. */
export function rootHelp(help: Page): string {
  const everyday = everydayCommands.flatMap(({ group, names }) =>
    names.map((name) => ({ ...commandList.find((one) => one.name === name)!, group })),
  );
  return joinParts([
    introParts(help).join("\n"),
    groupsOf(everyday, help).join("\n\n"),
    listLines(moreHelp, widest(moreHelp), help.columns).join("\n"),
  ]);
}

/** Everything in one line each. */
export function fullHelp(help: Page): string {
  return joinParts([
    ...introParts(help),
    examplesPart(rootExamples, help),
    [help.style.bold("Commands:"), ...groupsOf(commandList, help, " ")].join("\n"),
    listPart("Options:", rootOptions, help),
    listPart("Environment:", variables, help),
    exitCodesPart(help),
    wrapText("Explain one command: holdfast help <command>", help.columns).join("\n"),
  ]);
}

function introParts({ style }: Page): string[] {
  return [
    `${style.bold("holdfast")}: background work for coding agents that holds fast`,
    `${style.bold("Usage:")} holdfast <command> [options]`,
  ];
}

/** The commands by group, each group one text. All terms have the same width. */
function groupsOf(commands: readonly RootCommand[], { columns, style }: Page, indent = ""): string[] {
  const items = commands.map(({ name, summary, group }) => ({ term: name, text: summary, group }));
  const termWidth = widest(items);
  return [...new Set(items.map(({ group }) => group))].map((title) => {
    const own = items.filter(({ group }) => group === title);
    const head = indent + (indent === "" ? style.bold(title) : title);
    return [head, ...listLines(own, termWidth, columns)].join("\n");
  });
}

const moreHelp = [
  { term: "holdfast help --all", text: "every command" },
  { term: "holdfast help run", text: "one command, with examples" },
  { term: "holdfast demo", text: "a tour of what Holdfast does" },
];

const rootExamples: readonly CommandExample[] = [
  { line: "holdfast run -- npm test", text: "in the background, whatever becomes of this terminal" },
  { line: "holdfast logs @last -f", text: "follow its output; ps lists what runs" },
  { line: "holdfast sessions --all", text: "every session on this machine, newest first" },
  { line: "holdfast demo", text: "a tour of what Holdfast does" },
];

/** What every command takes. */
export const commonOptions: readonly HelpItem[] = [
  { term: "--json", text: "print one JSON object, for programs" },
  { term: "-h, --help", text: "explain this command" },
];

export const rootOptions: readonly HelpItem[] = [
  { term: "-V, -v, --version", text: "print the version" },
  { term: "-h, --help", text: "explain" },
];

export const variables: readonly HelpItem[] = [
  { term: "HOLDFAST_HOME", text: "where Holdfast keeps its state (default ~/.local/state/holdfast)" },
  { term: "CLAUDE_CONFIG_DIR", text: "where sessions are (default ~/.claude)" },
  { term: "NO_COLOR", text: "no colours; FORCE_COLOR asks for them" },
];

function wordOf({ name, isVariadic }: CommandArgument): string {
  return isVariadic ? `${name}...` : name;
}

// A text that explains every choice is not followed by a list of them.
function withChoices({ text, choices }: { text: string; choices?: readonly string[] }): string {
  const isExplained = choices?.every((choice) => new RegExp(`\\b${choice}\\b`).test(text)) ?? true;
  return isExplained ? text : `${text} (${choices?.join(", ")})`;
}

function examplesPart(examples: readonly CommandExample[], help: Page): string {
  return listPart(
    "Examples:",
    examples.map(({ line, text }) => ({ term: line, text })),
    help,
  );
}

function exitCodesPart({ columns, style }: Page): string {
  const [first = "", ...rest] = wrapText(`Exit codes: ${exitCodesText}`, columns);
  return [first.replace("Exit codes:", style.bold("Exit codes:")), ...rest].join("\n");
}

function listPart(title: string, items: readonly HelpItem[], { columns, style }: Page): string {
  if (items.length === 0) return "";
  return [style.bold(title), ...listLines(items, widest(items), columns)].join("\n");
}

function widest(items: readonly HelpItem[]): number {
  return Math.max(...items.map(({ term }) => displayWidth(term)));
}

// Two columns; where the terms leave no room for them, the text stands below its term.
function listLines(items: readonly HelpItem[], termWidth: number, columns: number): string[] {
  const isBelow = columns - termWidth < 30;
  const indent = isBelow ? 6 : termWidth + 4;
  return items.flatMap(({ term, text }) => {
    const texts = wrapText(text, columns - indent).map((line) => " ".repeat(indent) + line);
    return isBelow
      ? [`  ${term}`, ...texts]
      : [`  ${term.padEnd(termWidth)}${(texts[0] ?? "").slice(termWidth + 2)}`, ...texts.slice(1)];
  });
}

function joinParts(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
