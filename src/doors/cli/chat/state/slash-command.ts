import { nearest } from "../../nearest.ts";

export type SlashName =
  | "tasks"
  | "background"
  | "clear"
  | "resume"
  | "fork"
  | "model"
  | "permissions"
  | "cost"
  | "export"
  | "help"
  | "exit";

/** What can be asked of the chat itself, in the order of its help. */
export const slashCommands: readonly { name: SlashName; argument?: string; text: string }[] = [
  { name: "tasks", text: "what runs in the background: look, bring to the front, stop" },
  {
    name: "background",
    argument: "[PROMPT]",
    text: "as Ctrl+B twice; with a prompt: as Ctrl+S",
  },
  { name: "clear", text: "start a new conversation" },
  { name: "resume", argument: "[ID]", text: "continue an earlier conversation" },
  { name: "fork", text: "continue in a copy of this conversation" },
  { name: "model", argument: "[NAME]", text: "the model, from the next prompt on" },
  { name: "permissions", argument: "[MODE]", text: "who decides about tools: ask, rules, allow or deny" },
  { name: "cost", text: "tokens and cost of this conversation" },
  { name: "export", argument: "[FILE]", text: "write this conversation to a .md, .html or .json file" },
  { name: "help", text: "show this" },
  { name: "exit", text: "quit" },
];

export type SlashCommand =
  | { name: SlashName; argument: string }
  /** It begins like a command but is none. */
  | { name: "unknown"; typed: string; near?: string };

/** Reads a prompt that is a command; undefined when it is something to say, a path among it. */
export function parseSlashCommand(text: string): SlashCommand | undefined {
  const [, typed, argument = ""] = /^\/([a-z][a-z-]*)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  if (typed === undefined) return undefined;
  const found = slashCommands.find(({ name }) => name === typed);
  if (found) return { name: found.name, argument: argument.trim() };
  const near = nearest(
    typed,
    slashCommands.map(({ name }) => name),
  );
  return { name: "unknown", typed, ...(near !== undefined && { near }) };
}

const keys: readonly [string, string][] = [
  ["Ctrl+B twice", "put the running query into the background"],
  ["Ctrl+S", "ask what you typed in the background, from what was said so far"],
  ["Ctrl+C", "interrupt the query; twice: quit"],
  ["Alt+Enter or \\ Enter", "a new line"],
  ["↑ ↓", "earlier prompts"],
  ["Tab", "complete a /command, an @file, a session"],
  ["Ctrl+R, O, G", "search earlier prompts, unfold a result, edit in $EDITOR"],
  ["Ctrl+_, Y", "undo; insert again what Ctrl+W, U or K removed"],
];

/** What `/help` prints. */
export function chatHelp(): string {
  const commands = slashCommands.map(({ name, argument, text }) => [
    `/${name}${argument ? ` ${argument}` : ""}`,
    text,
  ]);
  return [...commands, ...keys].map(([what, text]) => `- ${what}: ${text}`).join("\n");
}
