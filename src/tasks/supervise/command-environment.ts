import { shellQuote } from "../../lib/shell-quote.ts";
import { taskError } from "../errors.ts";

/** How an environment differs from another: what is undefined is not in it. */
export type EnvChanges = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a command as a text that the supervisor evaluates in the process which becomes the command, and nowhere
 * else: so no variable of the caller changes what the supervisor does. What a shell cannot set, or takes for its own (`a.b`,
 * `UID`), becomes an argument of `env`, which the list of processes shows for less than a millisecond.
 */
export function environmentText(env: EnvChanges): string {
  const plain: string[] = [];
  const odd: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || name === "" || name === "_") continue;
    if (name.length + value.length > STRING_BYTES_MAX / 3) checkLength(name, value);
    if (isPlain(name)) plain.push(`${name}=${shellQuote(value)}`);
    else odd.push(shellQuote(`${name}=${value}`));
  }
  const exported = plain.length > 0 ? `export ${plain.join(" ")}; ` : "";
  return `${exported}${odd.length > 0 ? `set -- /usr/bin/env -- ${odd.join(" ")} "$@"; ` : ""}`;
}

/** Only the changes, to be evaluated after the text of what they change; undefined when a shell cannot make one of them. */
export function changesText(changes: EnvChanges): string | undefined {
  const entries = Object.entries(changes);
  if (!entries.every(([name]) => isPlain(name))) return undefined;
  const unset = entries.filter(([, value]) => value === undefined).map(([name]) => `unset ${name}; `);
  return unset.join("") + environmentText(changes);
}

/** The text as variables of the supervisor's own environment, none of them longer than the system takes. */
export function environmentVariables(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  const bytes = Buffer.from(text);
  for (let start = 0, count = 0, end; start < bytes.length; start = end, count++) {
    end = Math.min(start + PIECE_BYTES, bytes.length);
    // Not within a character.
    while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--;
    variables[`HOLDFAST_ENVIRONMENT_${count}`] = bytes.toString("utf8", start, end);
  }
  return variables;
}

// One string of an environment holds 128 KiB on Linux.
const STRING_BYTES_MAX = 128 * 1024;
const PIECE_BYTES: number = STRING_BYTES_MAX - 1024;

// The supervisor would start, and its command could not.
function checkLength(name: string, value: string): void {
  const bytes = Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
  if (bytes > STRING_BYTES_MAX)
    throw taskError("launch_failed", `Cannot give variable "${name}" to a command: it has ${bytes} bytes`);
}

function isPlain(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !ownNames.has(name);
}

// Of dash, bash, zsh and mksh: they cannot be set, hold only numbers, or change when a shell becomes another program.
const ownNames: ReadonlySet<string> = new Set(
  (
    "BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_CMDS BASH_COMMAND BASH_LINENO BASH_SOURCE BASH_SUBSHELL " +
    "BASH_VERSINFO COLUMNS DIRSTACK EGID EPOCHREALTIME EPOCHSECONDS ERRNO EUID FUNCNAME FUNCNEST GID GROUPS HISTCMD HISTSIZE " +
    "IFS KEYBOARD_HACK KSHEGID KSHGID KSHUID KSH_VERSION LINENO LINES OPTIND PGRP PIPESTATUS PPID RANDOM SAVEHIST SECONDS " +
    "SHELLOPTS SHLVL SRANDOM TMOUT TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TTYIDLE UID USERNAME USER_ID ZSH_EVAL_CONTEXT " +
    "ZSH_SUBSHELL histchars signals"
  ).split(" "),
);
