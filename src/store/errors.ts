import { makeError, type ErrorMaker } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them (checked by test/architecture.test.ts).
export const storeErrorCodes = [
  "session_not_found",
  "session_ambiguous",
  "entry_not_found",
  "entry_ambiguous",
  "entry_invalid",
  "not_a_transcript",
  "append_failed",
  "sync_failed",
  "writer_closed",
  "session_in_use",
  "session_elsewhere",
  "target_exists",
  "trash_not_found",
  "companion_not_found",
  "session_archived",
  "archive_not_found",
  "archive_damaged",
  "config_invalid",
  "setting_invalid",
  "setting_refused",
] as const;
export type StoreErrorCode = (typeof storeErrorCodes)[number];

export const storeError: ErrorMaker<StoreErrorCode> = makeError;

export function entryNotFound(file: string, uuid: string): Error {
  return storeError("entry_not_found", `Cannot find entry "${uuid}" in "${file}": no line has this uuid`, {
    fields: { uuid, path: file },
  });
}
