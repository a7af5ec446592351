import path from "node:path";
import { isJsonObject } from "./json-object.ts";

// What a handler of ours starts, whatever installation it belongs to and wherever that is or was.
const PROGRAMS = new Set(["holdfast", "holdfast.js", "hook.cjs", "before-command.sh", "after-command.sh"]);

/** Whether a handler in the client's settings is one of Holdfast's hooks, by the program and the arguments that it names. */
export function isOwnHandler(handler: unknown): boolean {
  if (!isJsonObject(handler)) return false;
  const { command, args } = handler;
  const words = [...textOf(command).split(/[\s"']+/), ...(Array.isArray(args) ? args.map(textOf) : [])];
  const names = words.map((word) => path.basename(word));
  const isOfUs = names.some((name) => PROGRAMS.has(name));
  // `holdfast statusline` is no hook; a program of the hook alone needs no word for it.
  return isOfUs && (names.includes("hook") || names.includes("hook.cjs"));
}

/** The settings without any hook of ours, and without the groups and lists that are empty then. */
export function withoutOwnHooks(value: Record<string, unknown>): Record<string, unknown> {
  const { hooks, ...rest } = value;
  if (!isJsonObject(hooks)) return value;
  const kept = Object.entries(hooks).flatMap(([event, groups]): [string, unknown][] => {
    if (!Array.isArray(groups)) return [[event, groups]];
    const left = groups.flatMap((group) => withoutOwn(group));
    return left.length > 0 || groups.length === 0 ? [[event, left]] : [];
  });
  return kept.length > 0 ? { ...value, hooks: Object.fromEntries(kept) } : rest;
}

/** The handlers of ours in the settings of a client. */
export function ownHandlers({ hooks }: Record<string, unknown>): Record<string, unknown>[] {
  const groups = isJsonObject(hooks)
    ? Object.values(hooks)
        .filter((each) => Array.isArray(each))
        .flat()
    : [];
  return groups.flatMap((group: unknown) => handlersOf(group).filter(isJsonObject).filter(isOwnHandler));
}

function withoutOwn(group: unknown): unknown[] {
  const handlers = handlersOf(group);
  const others = handlers.filter((handler) => !isOwnHandler(handler));
  if (others.length === handlers.length) return [group];
  return others.length > 0 ? [{ ...(group as object), hooks: others }] : [];
}

function handlersOf(group: unknown): unknown[] {
  const handlers = isJsonObject(group) ? group["hooks"] : undefined;
  return Array.isArray(handlers) ? (handlers as unknown[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
