import type { FileBackup } from "../../format/index.ts";
import { isJsonObject } from "../../format/json-object.ts";

/** What the entries of one transcript say about a snapshot; nothing of it has been compared with the disk. */
export interface ToldSnapshot {
  messageId: string;
  takenAt?: string;
  editedBy: string[];
  /** By tracking path. */
  backups: Map<string, FileBackup>;
}

/** Folds the entries into one snapshot a prompt: updates and deltas add to the one that they name. */
export class ToldSnapshots {
  readonly #byId = new Map<string, ToldSnapshot>();

  get snapshots(): ToldSnapshot[] {
    return [...this.#byId.values()];
  }

  add(entry: unknown): void {
    if (!isJsonObject(entry)) return;
    const { type, messageId, snapshot, snapshotMessageId, trackingPath, backup, timestamp } = entry;
    if (
      type === "file-history-snapshot" &&
      isJsonObject(snapshot) &&
      isJsonObject(snapshot["trackedFileBackups"])
    ) {
      const told = this.#at(snapshot["messageId"], { editedBy: messageId, takenAt: snapshot["timestamp"] });
      for (const [file, value] of Object.entries(snapshot["trackedFileBackups"]))
        setBackup(told, file, value);
    } else if (type === "file-history-delta" && typeof trackingPath === "string") {
      const told = this.#at(snapshotMessageId ?? messageId, { editedBy: messageId, takenAt: timestamp });
      setBackup(told, trackingPath, backup);
    } else if (type === "file-history") this.#addPlain(entry);
  }

  // As older descriptions of the format have it: one change of one file, without a copy of what it was.
  #addPlain({ path, filePath, messageId, uuid, timestamp }: Record<string, unknown>): void {
    const file = path ?? filePath;
    if (typeof file !== "string") return;
    const told = this.#at(messageId ?? uuid ?? timestamp, { editedBy: undefined, takenAt: timestamp });
    if (!told?.backups.has(file)) setBackup(told, file, { backupFileName: "" });
  }

  #at(id: unknown, { editedBy, takenAt }: { editedBy: unknown; takenAt: unknown }): ToldSnapshot | undefined {
    if (typeof id !== "string") return undefined;
    const told = this.#byId.get(id) ?? {
      messageId: id,
      editedBy: [],
      backups: new Map<string, FileBackup>(),
    };
    this.#byId.set(id, told);
    if (typeof takenAt === "string") told.takenAt ??= takenAt;
    if (typeof editedBy === "string" && editedBy !== id && !told.editedBy.includes(editedBy))
      told.editedBy.push(editedBy);
    return told;
  }
}

function setBackup(told: ToldSnapshot | undefined, file: string, backup: unknown): void {
  if (!told || !isJsonObject(backup)) return;
  const name = backup["backupFileName"];
  if (name === null || typeof name === "string") told.backups.set(file, backup);
}
