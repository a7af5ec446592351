import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { createFileAtomic, writeFileAtomic } from "../../lib/atomic-write.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { isJsonObject } from "../../format/json-object.ts";
import type { HookSettings } from "./hook-settings.ts";
import { readSettingsFile, withHooks, withoutHooks, writeSettingsFile } from "./settings-file.ts";

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
  /** Undefined when there were no settings. */
  backup?: string;
}

export type InstallOutcome =
  | { status: "installed"; settings: string; backup: string | undefined }
  | { status: "unchanged"; settings: string };

/** Adds the hooks to the client's settings: with a backup, and atomically. Older ones of ours are replaced. */
export function installHooks(
  place: InstallPlace,
  hooks: HookSettings,
  { now }: { now: Date },
): InstallOutcome {
  const previous = readRecord(place);
  const found = readSettingsFile(place.settings);
  const before = previous ? withoutHooks(found.value, previous.hooks) : found.value;
  const value = withHooks(before, hooks);
  if (JSON.stringify(value) === JSON.stringify(found.value))
    return { status: "unchanged", settings: found.file };
  const backup = found.text === undefined ? undefined : `${found.file}.before-holdfast-${stamp(now)}`;
  if (backup !== undefined) createFileAtomic(backup, found.text!);
  else fs.mkdirSync(path.dirname(found.file), { recursive: true });
  const written = writeSettingsFile(found, value);
  const record: InstallRecord = {
    schemaVersion: 1,
    settings: found.file,
    hooks,
    writtenHash: hashOf(written),
    // Installed over an older one of ours, the file from before the first is no longer what comes back.
    ...(backup !== undefined && !previous && { backup }),
  };
  writeFileAtomic(recordFile(ensurePrivateDir(place.home)), `${JSON.stringify(record, null, 2)}\n`);
  return { status: "installed", settings: found.file, backup };
}

export type UninstallOutcome = { status: "removed"; settings: string } | { status: "absent" };

/** Takes out what was put in, and nothing else. */
export function uninstallHooks(place: InstallPlace): UninstallOutcome {
  const record = readRecord(place);
  if (!record) return { status: "absent" };
  const found = readSettingsFile(place.settings);
  if (found.text !== undefined) {
    const isUntouched = hashOf(found.text) === record.writtenHash;
    const old = isUntouched && record.backup !== undefined ? readBackup(record.backup) : undefined;
    if (old !== undefined) writeFileAtomic(found.file, old, { mode: fs.statSync(found.file).mode & 0o777 });
    else writeSettingsFile(found, withoutHooks(found.value, record.hooks));
  }
  fs.rmSync(recordFile(place.home));
  return { status: "removed", settings: found.file };
}

function recordFile(home: string): string {
  return path.join(home, "plugin-install.json");
}

function readRecord({ home, settings }: InstallPlace): InstallRecord | undefined {
  try {
    const value = JSON.parse(fs.readFileSync(recordFile(home), "utf8")) as InstallRecord;
    const isOurs = value.schemaVersion === 1 && isJsonObject(value.hooks);
    return isOurs && value.settings === readSettingsFile(settings).file ? value : undefined;
  } catch {
    return undefined;
  }
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
