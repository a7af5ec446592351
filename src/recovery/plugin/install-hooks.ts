import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createFileAtomic, writeFileAtomic } from "../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { isJsonObject } from "../../format/json-object.ts";
import { readJson } from "../../lib/read-json.ts";
import type { HookSettings } from "./hook-settings.ts";
import { ownHandlers, withoutOwnHooks } from "../../format/own-hooks.ts";
import {
  readSettingsFile,
  settingsText,
  withHooks,
  withoutHooks,
  writeSettingsFile,
  type SettingsFile,
} from "./settings-file.ts";

export interface InstallPlace {
  home: string;
  /** The client's settings. */
  settings: string;
}

/** What was put in, so that exactly that is taken out again. */
interface InstallRecord {
  schemaVersion: 1;
  settings: string;
  hooks: HookSettings;
  /** Of the settings as they were written; when they are still so, the old ones come back to the byte. */
  writtenHash: string;
  /** What comes back then; unknown when the settings were changed between two installations. */
  original?: { kind: "absent" } | { kind: "backup"; file: string };
}

export type InstallOutcome =
  | { status: "installed"; settings: string; backup: string | undefined }
  | { status: "unchanged"; settings: string };

export interface PluginStatus {
  isInstalled: boolean;
  /** The client's settings. */
  settings: string;
}

/** Whether these hooks are in the client's settings. */
export function pluginStatus({ settings }: InstallPlace, hooks: HookSettings): PluginStatus {
  const { file, value } = readSettingsFile(settings);
  return { isInstalled: isDeepStrictEqual(withHooks(value, hooks), value), settings: file };
}

/**
 * Adds the hooks to the client's settings: with a backup, and atomically. Those of ours that are there already are
 * replaced, whoever put them in. What is ours is recognised by itself; the record only brings a file back to the byte.
 */
export function installHooks(
  place: InstallPlace,
  hooks: HookSettings,
  { now }: { now: Date },
): InstallOutcome {
  const previous = readRecord(place);
  const found = readSettingsFile(place.settings);
  if (previous && isDeepStrictEqual(withHooks(withoutOwnHooks(found.value), hooks), found.value))
    return { status: "unchanged", settings: found.file };
  const before = withoutOwnHooks(previous ? withoutHooks(found.value, previous.hooks) : found.value);
  const value = withHooks(before, hooks);
  if (previous && JSON.stringify(value) === JSON.stringify(found.value))
    return { status: "unchanged", settings: found.file };
  const backup = found.text === undefined ? undefined : `${found.file}.before-holdfast-${stamp(now)}`;
  if (backup !== undefined) createFileAtomic(backup, found.text!);
  else fs.mkdirSync(path.dirname(found.file), { recursive: true });
  const text = settingsText(found, value);
  const record: InstallRecord = {
    schemaVersion: 1,
    settings: found.file,
    hooks,
    writtenHash: hashOf(text),
    ...originalOf(found, { previous, backup }),
  };
  // Before the settings: what is in them can then always be taken out.
  writeFileAtomic(recordFile(ensurePrivateDir(place.home)), `${JSON.stringify(record, null, 2)}\n`);
  writeSettingsFile(found, text);
  return { status: "installed", settings: found.file, backup };
}

function originalOf(
  { text, value }: SettingsFile,
  { previous, backup }: { previous: InstallRecord | undefined; backup: string | undefined },
): Pick<InstallRecord, "original"> {
  // A file that held hooks of ours, of which nothing is known, is no original.
  if (!previous && ownHandlers(value).length > 0) return {};
  if (!previous)
    return { original: backup === undefined ? { kind: "absent" } : { kind: "backup", file: backup } };
  const isUntouched = text !== undefined && hashOf(text) === previous.writtenHash;
  return isUntouched && previous.original ? { original: previous.original } : {};
}

export type UninstallOutcome = { status: "removed"; settings: string } | { status: "absent" };

/** Takes out what was put in, and nothing else. */
export function uninstallHooks(place: InstallPlace): UninstallOutcome {
  const record = readRecord(place);
  const found = readSettingsFile(place.settings);
  const isOurs = ownHandlers(found.value).length > 0;
  if (!record && !isOurs) return { status: "absent" };
  if (found.text !== undefined && !(record && bringBack(found, record))) {
    const value = withoutOwnHooks(record ? withoutHooks(found.value, record.hooks) : found.value);
    if (!isDeepStrictEqual(value, found.value)) writeSettingsFile(found, settingsText(found, value));
  }
  if (record) fs.rmSync(recordFile(place.home));
  return { status: "removed", settings: found.file };
}

/** The settings as they were, to the byte; false when they were changed since, or the backup is gone. */
function bringBack(found: SettingsFile, { writtenHash, original }: InstallRecord): boolean {
  const { file, text = "" } = found;
  if (!original || hashOf(text) !== writtenHash) return false;
  if (original.kind === "absent") {
    fs.rmSync(file);
    return true;
  }
  const old = readBackup(original.file);
  if (old === undefined) return false;
  writeSettingsFile(found, old);
  return true;
}

function recordFile(home: string): string {
  return path.join(home, "plugin-install.json");
}

function readRecord({ home, settings }: InstallPlace): InstallRecord | undefined {
  const value = readJson(recordFile(home)) as InstallRecord | null | undefined;
  if (value?.schemaVersion !== 1 || !isJsonObject(value.hooks)) return undefined;
  return value.settings === readSettingsFile(settings).file ? value : undefined;
}

function readBackup(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function stamp(now: Date): string {
  return now.toISOString().replace(/[-:.]/g, "");
}
