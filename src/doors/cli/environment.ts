import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { placesOf, userNameOf, type Places } from "../../runtime/places.ts";
import { makeStyle, type Page } from "./render/style.ts";
import { mayBeTerminal } from "./standard-streams.ts";

/** What the command line learns from its surroundings: read once, here, and handed on as values. */
export interface Environment extends Places {
  userHome: string;
  cwd: string;
  stdout: Screen;
  stderr: Screen;
  /** Somebody is there to answer a question. */
  isAnswering: boolean;
  /** Somebody watches standard error while a command works. */
  isWatching: boolean;
  /** The locale is one in which only ASCII can be shown. */
  isAsciiOnly: boolean;
  /** Shows the stack of an error. */
  isDebug: boolean;
  /** The login name, for the ending of a task that this person stops. */
  userName: string;
  /** The session whose client runs this command, if one does. */
  sessionId: string | undefined;
  /** All of it, for the commands that are run. */
  variables: Readonly<Record<string, string | undefined>>;
}

/** Where text goes. */
export interface Screen extends Page {
  isTerminal: boolean;
  /** Infinite when the text goes to a pipe or a file: nothing is cut or wrapped there. */
  columns: number;
}

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  userHome: string;
  stdin: { isTTY?: boolean };
  stdout: { isTTY?: boolean; columns?: number };
  stderr: { isTTY?: boolean; columns?: number };
}

export function readEnvironment(from: Surroundings = processSurroundings()): Environment {
  const { env, userHome } = from;
  return {
    ...placesOf(env, { userHome, cwd: from.cwd }),
    userHome,
    cwd: from.cwd,
    stdout: readScreen(env, from.stdout),
    stderr: readScreen(env, from.stderr),
    isAnswering: from.stdin.isTTY === true && from.stderr.isTTY === true && !env["CI"],
    isWatching: from.stderr.isTTY === true && !env["CI"],
    isAsciiOnly: isAsciiOnly(env),
    isDebug: Boolean(env["HOLDFAST_DEBUG"]),
    userName: userNameOf(env),
    sessionId: env["CLAUDE_CODE_SESSION_ID"] || undefined,
    variables: env,
  };
}

function processSurroundings(): Surroundings {
  return {
    env: process.env,
    cwd: workingDir(process.env),
    userHome: os.homedir(),
    // Node takes a while to make these of what they stand for.
    stdin: mayBeTerminal(0) ? process.stdin : {},
    stdout: mayBeTerminal(1) ? process.stdout : {},
    stderr: mayBeTerminal(2) ? process.stderr : {},
  };
}

// A folder that was removed while somebody is in it has no path. Most commands need none. One that does refuses this one,
// because it is not there, rather than take another that has its name by now.
function workingDir({ PWD: named = "" }: Surroundings["env"]): string {
  try {
    return process.cwd();
  } catch {
    return path.isAbsolute(named) && !fs.existsSync(named) ? named : "/(removed working folder)";
  }
}

function readScreen(env: Surroundings["env"], stream: { isTTY?: boolean; columns?: number }): Screen {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    style: makeStyle({ hasColor: hasColor(env, isTerminal) }),
    columns: columnsOf(env, isTerminal, stream.columns),
  };
}

// Who names no locale mostly has a terminal that shows everything.
function isAsciiOnly(env: Surroundings["env"]): boolean {
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "UTF-8";
  return !/utf-?8/i.test(locale);
}

// NO_COLOR beats the variables that force colour: who set both rather wants to read plain text.
function hasColor(env: Surroundings["env"], isTerminal: boolean): boolean {
  if (env["NO_COLOR"]) return false;
  for (const name of ["FORCE_COLOR", "CLICOLOR_FORCE"]) {
    const value = env[name];
    if (value) return value !== "0" && value !== "false";
  }
  return isTerminal && env["TERM"] !== "dumb";
}

function columnsOf(env: Surroundings["env"], isTerminal: boolean, columns: number | undefined): number {
  const asked = Number(env["COLUMNS"]);
  if (Number.isInteger(asked) && asked > 0) return asked;
  if (!isTerminal) return Infinity;
  return columns !== undefined && columns > 0 ? columns : 80;
}
