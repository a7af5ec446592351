import fs from "node:fs";
import { agentIdOfFile } from "../list/agent-file.ts";
import {
  eachTranscriptFolder,
  transcriptAt,
  type AnyTranscript,
  type TranscriptFolder,
} from "../list/all-transcripts.ts";
import { isArchivedLink } from "./archive-manifest.ts";
import { eachManifest, type ArchiveContext } from "./archived-copies.ts";
import { isLive } from "./archived-sessions.ts";
import { parsePackedAddress } from "./packed-address.ts";
import { isPacked } from "./read-packed.ts";

/**
 * Every transcript, folder after folder; of projects that `wants` accepts. The archive comes last: a session that is archived
 * at this moment is then listed twice rather than not at all.
 */
export function* eachFolderAndArchive(
  context: ArchiveContext,
  wants: (projectKey: string) => boolean = () => true,
): Generator<TranscriptFolder> {
  const { configDir, archiveDir, onUnreadable } = context;
  yield* eachTranscriptFolder(configDir, { wants, onUnreadable });
  const transcripts = listArchivedTranscripts(context).filter(({ projectKey }) => wants(projectKey));
  yield { path: archiveDir, transcripts };
}

/** The transcripts at paths that were listed before, as far as they are still there. */
export function transcriptsAt(context: ArchiveContext, paths: ReadonlySet<string>): AnyTranscript[] {
  const [archived, live] = [[...paths].filter(isPacked), [...paths].filter((path) => !isPacked(path))];
  return [
    ...live.flatMap((path) => transcriptAt(context.configDir, path) ?? []),
    ...(archived.length === 0 ? [] : listArchivedTranscripts(context).filter(({ path }) => paths.has(path))),
  ];
}

/**
 * Every transcript that is only in the archive, sub-agents too, as listAllTranscripts lists the others: `path` is what
 * readPacked and any call that opens transcripts read, `bytes` and `mtimeMs` are of its content.
 */
export function listArchivedTranscripts(context: ArchiveContext): AnyTranscript[] {
  const found = new Map<string, AnyTranscript>();
  const stats = new Map<string, fs.Stats | undefined>();
  const statOnce = (file: string): fs.Stats | undefined => {
    if (!stats.has(file)) stats.set(file, fs.statSync(file, { throwIfNoEntry: false }));
    return stats.get(file);
  };
  for (const { manifest } of eachManifest(context)) {
    if (isLive(manifest, context.configDir)) continue;
    for (const item of manifest.items) {
      // Of a session that was archived several times the newest, which comes first.
      if (isArchivedLink(item) || !isTranscript(item.path) || found.has(item.path)) continue;
      const stat = statOnce(parsePackedAddress(item.packed).file);
      if (!stat) continue;
      found.set(item.path, {
        path: item.packed,
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
  return [...found.values()].sort(byPlace);
}

// Who reads them in this order unpacks what they share once.
function byPlace(a: AnyTranscript, b: AnyTranscript): number {
  const [one, other] = [parsePackedAddress(a.path), parsePackedAddress(b.path)];
  return one.file === other.file ? one.at - other.at : one.file < other.file ? -1 : 1;
}

// The journal of a workflow is none.
function isTranscript(file: string): boolean {
  return file.startsWith("projects/") && file.endsWith(".jsonl") && !file.endsWith("/journal.jsonl");
}
