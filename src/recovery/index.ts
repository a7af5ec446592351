/**
 * Owns the manifest of background launches (by project and by day) and the answer to "what runs, what finished unseen,
 * what was lost": of Holdfast's own tasks and of a foreign client's, by records where there are some, by looking else.
 * Never writes a file of the client, never decides how a task of Holdfast ended: that is in its own files.
 *
 * I1  A manifest line is appended by one write of one whole line; lines are never changed.
 * I2  Every item says how it is known. What is not known is said, not guessed: an ending nobody recorded is `lost`.
 * I3  Who is told is decided by tasks/notices/who-is-told.ts alone. News is told when it has arrived, not when it was taken.
 * I4  What reading costs is bounded by limits.ts, however old the home is.
 * I5  Nothing here loads zod, child_process or the store's readers: hooks run this on every tool call.
 */
export type { Launched } from "./launches-since.ts";
export type { DuplicateWork, Recovery } from "./recovery.ts";
export type { RecoveredItem } from "./recovered-item.ts";
export type { Brief } from "./brief.ts";
export type { HookSettings } from "./plugin/hook-settings.ts";
export type { InstallOutcome, PluginStatus, UninstallOutcome } from "./plugin/install-hooks.ts";
