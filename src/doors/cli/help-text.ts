import type { Command, CommandArgument, CommandExample } from "./command.ts";
import { commandList, type ListedCommand } from "./command-list.ts";
import { exitCodesText } from "./exit-codes.ts";
import { displayWidth } from "./render/display-width.ts";
import type { Page } from "./render/style.ts";
import { wrapText } from "./render/wrap-text.ts";

/** One line on what it does, usage, examples, then everything else. */
export function commandHelp({ name, summary }: ListedCommand, command: Command, help: Page): string {
  const { arguments: known = [], options = [] } = command;
  const argumentTexts = known.map((argument) => ({ term: wordOf(argument), text: argument.text }));
  const optionTexts = options.map((option) => ({ term: option.flags, text: optionText(option) }));
  const words = known.map((argument) =>
    argument.isOptional ? `[${wordOf(argument)}]` : `<${wordOf(argument)}>`,
  );
  // What follows the first argument of such a command belongs to what it runs.
  const usage = command.stopsAtArguments ? ["[options]", "--", ...words] : [...words, "[options]"];
  return joinParts([
    `${help.style.bold(`holdfast ${name}`)}: ${summary}`,
    `${help.style.bold("Usage:")} ${["holdfast", name, ...usage].join(" ")}`,
    examplesPart(command.examples, help),
    listPart("Arguments:", argumentTexts, help),
    listPart("Options:", [...optionTexts, ...commonOptions], help),
    exitCodesPart(help),
  ]);
}

export function rootHelp(help: Page): string {
  return joinParts([
    `${help.style.bold("holdfast")}: background work for coding agents that holds fast`,
    `${help.style.bold("Usage:")} holdfast <command> [options]`,
    examplesPart(rootExamples, help),
    listPart(
      "Commands:",
      commandList.map(({ name, summary }) => ({ term: name, text: summary })),
      help,
    ),
    listPart("Options:", rootOptions, help),
    listPart("Environment:", variables, help),
    exitCodesPart(help),
    wrapText("Explain one command: holdfast help <command>", help.columns).join("\n"),
  ]);
}

const rootExamples: readonly CommandExample[] = [
  { line: "holdfast run -- npm test", text: "in the background, whatever becomes of this terminal" },
  { line: "holdfast logs @last -f", text: "follow its output; ps lists what runs" },
  { line: "holdfast sessions --all", text: "every session on this machine, newest first" },
  { line: "holdfast demo", text: "a tour of what Holdfast does" },
];

const commonOptions = [
  { term: "--json", text: "print one JSON object, for programs" },
  { term: "-h, --help", text: "explain this command" },
];

const rootOptions = [
  { term: "-V, --version", text: "print the version" },
  { term: "-h, --help", text: "explain" },
];

const variables = [
  { term: "HOLDFAST_HOME", text: "where Holdfast keeps its state (default ~/.local/state/holdfast)" },
  { term: "CLAUDE_CONFIG_DIR", text: "where sessions are (default ~/.claude)" },
  { term: "NO_COLOR", text: "no colours; FORCE_COLOR asks for them" },
];

function wordOf({ name, isVariadic }: CommandArgument): string {
  return isVariadic ? `${name}...` : name;
}

interface HelpItem {
  term: string;
  text: string;
}

function optionText({ text, choices }: { text: string; choices?: readonly string[] }): string {
  return choices ? `${text} (${choices.join(", ")})` : text;
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

// Two columns; where the terms leave no room for them, the text stands below its term.
function listPart(title: string, items: readonly HelpItem[], { columns, style }: Page): string {
  if (items.length === 0) return "";
  const termWidth = Math.max(...items.map(({ term }) => displayWidth(term)));
  const isBelow = columns - termWidth < 30;
  const indent = isBelow ? 6 : termWidth + 4;
  const lines = items.flatMap(({ term, text }) => {
    const texts = wrapText(text, columns - indent).map((line) => " ".repeat(indent) + line);
    return isBelow
      ? [`  ${term}`, ...texts]
      : [`  ${term.padEnd(termWidth)}${(texts[0] ?? "").slice(termWidth + 2)}`, ...texts.slice(1)];
  });
  return [style.bold(title), ...lines].join("\n");
}

function joinParts(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
