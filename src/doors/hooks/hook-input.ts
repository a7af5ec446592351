import path from "node:path";
import { launchIdLengthMax, pathLengthMax } from "./limits.ts";
import { isJsonObject } from "../../format/json-object.ts";

/** What the client tells a hook: the keys that every event has, and the rest as it came. */
export interface HookInput {
  event: string;
  sessionId: string;
  cwd: string;
  transcriptPath: string;
  fields: Readonly<Record<string, unknown>>;
}

/** Undefined when it is not the input of a hook. */
export function parseHookInput(text: string): HookInput | undefined {
  const fields = JSON.parse(text) as unknown;
  if (!isJsonObject(fields)) return undefined;
  const event = textField(fields, "hook_event_name");
  const sessionId = textField(fields, "session_id");
  const cwd = textField(fields, "cwd");
  // The session becomes part of a path, the folder of a file name.
  if (event === "" || !/^[\w-]{1,128}$/.test(sessionId) || !path.isAbsolute(cwd)) return undefined;
  return { event, sessionId, cwd, transcriptPath: textField(fields, "transcript_path"), fields };
}

/** As textField, for what becomes part of a manifest line: an id, a type, a path. What is longer than a path is none. */
export function shortField(fields: Readonly<Record<string, unknown>>, key: string): string {
  const text = textField(fields, key);
  return text.length <= pathLengthMax ? text : "";
}

/**
 * The id of background work, of whatever shape: clients change it from version to version. Empty when there is none, or a text
 * that is longer than any id.
 */
export function idField(fields: Readonly<Record<string, unknown>>, key: string): string {
  const value = fields[key];
  const id = typeof value === "number" ? String(value) : textField(fields, key);
  return id.length <= launchIdLengthMax ? id : "";
}

/** The text under a key; empty when there is none. */
export function textField(fields: Readonly<Record<string, unknown>>, key: string): string {
  const value = fields[key];
  return typeof value === "string" ? value : "";
}

export function objectField(
  fields: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  const value = fields[key];
  return isJsonObject(value) ? value : {};
}
