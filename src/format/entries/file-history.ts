import { z } from "zod";
import { maybe } from "./maybe.ts";

/** A copy of a file made before an edit. */
export interface FileBackup {
  /** `<hash>@v<n>` in the session's file-history folder; null when the file did not exist yet. */
  backupFileName?: string | null;
  version?: number;
  backupTime?: string;
  realParentDir?: string;
}

export interface FileHistorySnapshotEntry {
  type: "file-history-snapshot";
  /** The prompt, or for an update the assistant line that edited. The line itself often comes later. */
  messageId: string;
  snapshot: {
    /** Always the prompt. */
    messageId: string;
    /** Keys are paths, mostly relative to the cwd. */
    trackedFileBackups: Record<string, FileBackup>;
    timestamp?: string;
  };
  isSnapshotUpdate?: boolean;
}

/** From about 2.1.208: one file's change instead of the whole snapshot again. */
export interface FileHistoryDeltaEntry {
  type: "file-history-delta";
  messageId?: string;
  trackingPath: string;
  backup?: FileBackup;
  timestamp?: string;
}

const fileBackupSchema: z.ZodType<FileBackup> = z.looseObject({
  backupFileName: z.string().nullable().exactOptional(),
  version: z.number().exactOptional(),
  ...maybe(z.string(), "backupTime", "realParentDir"),
});

export const fileHistorySnapshotEntrySchema: z.ZodType<FileHistorySnapshotEntry> = z.looseObject({
  type: z.literal("file-history-snapshot"),
  messageId: z.string(),
  snapshot: z.looseObject({
    messageId: z.string(),
    trackedFileBackups: z.record(z.string(), fileBackupSchema),
    timestamp: z.string().exactOptional(),
  }),
  isSnapshotUpdate: z.boolean().exactOptional(),
});

export const fileHistoryDeltaEntrySchema: z.ZodType<FileHistoryDeltaEntry> = z.looseObject({
  type: z.literal("file-history-delta"),
  messageId: z.string().exactOptional(),
  trackingPath: z.string(),
  backup: fileBackupSchema.exactOptional(),
  timestamp: z.string().exactOptional(),
});
