import fs from "node:fs";
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

/** Every command as a manual page: what man/holdfast.1 holds. */
export function manPage(commands: readonly WalkedCommand[]): string {
  const manifest = fs.readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version, homepage } = JSON.parse(manifest) as { version: string; homepage: string };
  const verbs = commands.filter(({ command }) => !isFamily(command));
  return `${[
    '.\\" Made by npm run reference of what the help is made of. Do not edit it.',
    `.TH HOLDFAST 1 "" "holdfast ${version}" "Holdfast"`,
    ".SH NAME",
    "holdfast \\- background work for coding agents that holds fast",
    ".SH SYNOPSIS",
    ".B holdfast",
    ".I command",
    "[\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    text(
      "Starts commands and agents in the background so that they outlive the terminal, the client and the session that started them, and reads, searches and changes the sessions of coding agents.",
    ),
    ".PP",
    text("holdfast help explains a command on the terminal, holdfast demo is a tour that checks itself."),
    ".SH OPTIONS",
    ...items(rootOptions),
    ".PP",
    text("Every command takes:"),
    ...items(commonOptions),
    ".SH COMMANDS",
    ...verbs.flatMap(verbLines),
    ".SH ENVIRONMENT",
    ...items(variables),
    ".SH EXIT STATUS",
    text(exitCodesText),
    ".SH SEE ALSO",
    text(homepage),
  ].join("\n")}\n`;
}

function verbLines({ path, summary, command }: WalkedCommand): string[] {
  if (isFamily(command)) return [];
  const aliases = aliasesOf(path).map((alias) => `holdfast ${alias}`);
  return [
    `.SS ${text(`holdfast ${path} ${usageOf(command).join(" ")}`)}`,
    text(`${summary}.${aliases.length > 0 ? ` Also ${aliases.join(" and ")}.` : ""}`),
    ...items([...argumentItems(command), ...optionItems(command)]),
    ".PP",
    "Examples:",
    ...command.examples.flatMap(({ line, text: what }) => [
      ".PP",
      ".RS 4",
      `\\fB${text(line)}\\fR`,
      ".br",
      text(what),
      ".RE",
    ]),
  ];
}

function items(list: readonly HelpItem[]): string[] {
  return list.flatMap(({ term, text: what }) => [".TP", `\\fB${text(term)}\\fR`, text(what)]);
}

// A backslash is roff's own, a plain hyphen is no minus that can be copied, and a dot or quote that begins a line is a request.
function text(plain: string): string {
  return plain
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("…", "\\[u2026]")
    .replace(/^(?=[.'])/, "\\&");
}
