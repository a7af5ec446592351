import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isJsonObject } from "../../format/json-object.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import { codeOf } from "../../lib/errors.ts";
import { unhanging } from "../../lib/read-json.ts";
import { recoveryError } from "../errors.ts";
import type { HookSettings } from "./hook-settings.ts";

/** The client's settings, as text and as a value. */
export interface SettingsFile {
  /** Where it really is: people keep it in a repository and link to it. */
  file: string;
  /** Undefined when there is none. */
  text: string | undefined;
  value: Record<string, unknown>;
}

export function readSettingsFile(link: string): SettingsFile {
  const file = realFile(link);
  let text: string;
  try {
    text = fs.readFileSync(file, unhanging);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return { file, text: undefined, value: {} };
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw recoveryError("settings_invalid", `Cannot change "${link}": it is not valid JSON; fix it first`, {
      cause,
    });
  }
  if (!isJsonObject(value) || (value["hooks"] !== undefined && !isJsonObject(value["hooks"])))
    throw recoveryError(
      "settings_invalid",
      `Cannot change "${link}": it does not hold settings; fix it first`,
    );
  return { file, text, value };
}

// A link whose file is not there yet (a repository that is not checked out) leads to where it is to be.
function realFile(link: string, links = 0): string {
  try {
    return fs.realpathSync(link);
  } catch {
    if (links >= LINKS_MAX || !fs.lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return link;
    return realFile(path.resolve(path.dirname(link), fs.readlinkSync(link)), links + 1);
  }
}

// As many as Linux follows.
const LINKS_MAX = 40;

/** The settings with these hooks behind those that are there; one that is there already is not added again. */
export function withHooks(value: Record<string, unknown>, added: HookSettings): Record<string, unknown> {
  const hooks: Record<string, unknown> = { ...(value["hooks"] as object | undefined) };
  for (const [event, groups] of Object.entries(added)) {
    const present = Array.isArray(hooks[event]) ? (hooks[event] as unknown[]) : [];
    const missing = groups.filter((group) => !present.some((each) => isDeepStrictEqual(each, group)));
    hooks[event] = [...present, ...missing];
  }
  return { ...value, hooks };
}

/** The settings without these hooks, and without the lists that are empty then. */
export function withoutHooks(value: Record<string, unknown>, removed: HookSettings): Record<string, unknown> {
  const hooks: Record<string, unknown> = { ...(value["hooks"] as object | undefined) };
  for (const [event, groups] of Object.entries(removed)) {
    const present = hooks[event];
    if (!Array.isArray(present)) continue;
    const kept = present.filter((each) => !groups.some((group) => isDeepStrictEqual(each, group)));
    if (kept.length > 0) hooks[event] = kept;
    else delete hooks[event];
  }
  const { hooks: _, ...rest } = value;
  return Object.keys(hooks).length > 0 ? { ...value, hooks } : rest;
}

/** The settings as text, in the indentation that the file has. */
export function settingsText({ text = "" }: SettingsFile, value: Record<string, unknown>): string {
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  return `${JSON.stringify(value, null, indent)}\n`;
}

/** Replaces the settings whole, with the permissions that they have. */
export function writeSettingsFile({ file }: SettingsFile, text: string): void {
  const mode = fs.statSync(file, { throwIfNoEntry: false })?.mode;
  writeFileAtomic(file, text, mode === undefined ? {} : { mode: mode & 0o777 });
}
