import fs from "node:fs";
import path from "node:path";
import { archiveItemsMax } from "./limits.ts";
import { HoldfastError } from "../../lib/errors.ts";
import { pathBelow } from "../../lib/path-below.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { configCompanions, projectCompanions, type SharedFolders } from "../list/session-files.ts";

/** A file or link of a session, before it is packed. */
export interface FoundItem {
  file: string;
  /** Below the config folder, with slashes. */
  path: string;
  stat: fs.Stats;
}

/**
 * Everything of a session below the config folder, its transcript first: what the trash takes, file by file. Links are
 * items themselves and are not followed. Throws when the transcript is no file below the config folder.
 */
export function listItems(configDir: string, session: SessionRef, shared: SharedFolders): FoundItem[] {
  const isOurs = Boolean(pathBelow(configDir, session.path));
  const transcript = isOurs ? fs.lstatSync(session.path, { throwIfNoEntry: false }) : undefined;
  if (isOurs && !transcript)
    throw storeError("session_not_found", `Cannot archive session "${session.sessionId}": its file is gone`);
  if (!transcript?.isFile()) {
    throw new HoldfastError(
      `Cannot archive session "${session.sessionId}": "${session.path}" is a link or not below "${configDir}"`,
      { code: "unsafe_path", fields: { path: session.path } },
    );
  }
  const items: FoundItem[] = [];
  const add = (file: string): void => {
    const stat = fs.lstatSync(file);
    if (stat.isDirectory()) for (const name of fs.readdirSync(file).sort()) add(path.join(file, name));
    // A pipe or a socket holds nothing; it stays, and with it its folder.
    if (!stat.isFile() && !stat.isSymbolicLink()) return;
    items.push({ file, path: path.relative(configDir, file).split(path.sep).join("/"), stat });
    if (items.length > archiveItemsMax)
      throw new RangeError(
        `Cannot archive session "${session.sessionId}": it has more than ${archiveItemsMax} files`,
      );
  };
  for (const source of [
    session.path,
    ...projectCompanions(session, shared),
    ...configCompanions(configDir, session.sessionId, shared),
  ])
    add(source);
  return items;
}

/** Whether the file is still the one that was found, untouched. */
export function isUntouched({ file, stat }: FoundItem): boolean {
  const now = fs.lstatSync(file, { throwIfNoEntry: false });
  return now?.ino === stat.ino && now.size === stat.size && now.mtimeMs === stat.mtimeMs;
}
