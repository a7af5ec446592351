import fs from "node:fs";
import type { AnyTranscript } from "../all-transcripts.ts";
import { agentIdOfFile } from "../agent-file.ts";
import { isArchivedLink, packedPath, readArchiveManifest } from "./archive-manifest.ts";
import { isLive, listArchiveFolders, type ArchiveContext } from "./archived-sessions.ts";

/**
 * Every transcript that is only in the archive, sub-agents too, as listAllTranscripts lists the others: `path` is the
 * packed file (readPacked, or any call that opens transcripts, reads it), `bytes` and `mtimeMs` are of its content.
 */
export function listArchivedTranscripts(context: ArchiveContext): AnyTranscript[] {
  const found = new Map<string, AnyTranscript>();
  for (const { dir } of listArchiveFolders(context.archiveDir)) {
    const manifest = readArchiveManifest(dir);
    if (!manifest || isLive(manifest, context.configDir)) continue;
    for (const item of manifest.items) {
      // Of a session that was archived several times the newest, which comes first.
      if (isArchivedLink(item) || !isTranscript(item.path) || found.has(item.path)) continue;
      const path = packedPath(dir, item);
      const stat = fs.statSync(path, { throwIfNoEntry: false });
      if (!stat) continue;
      found.set(item.path, {
        path,
        projectKey: manifest.project,
        sessionId: manifest.sessionId,
        agentId: agentIdOfFile(item.path.split("/").at(-1)!),
        bytes: item.bytes,
        mtimeMs: Date.parse(item.modifiedAt),
        inode: stat.ino,
        bornMs: stat.birthtimeMs,
      });
    }
  }
  return [...found.values()];
}

// The journal of a workflow is none.
function isTranscript(file: string): boolean {
  return file.startsWith("projects/") && file.endsWith(".jsonl") && !file.endsWith("/journal.jsonl");
}
