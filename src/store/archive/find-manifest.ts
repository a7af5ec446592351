import type { SessionRef } from "../list/find-session.ts";
import { isArchivedLink, packedTranscript, type ArchiveManifest } from "./archive-manifest.ts";
import { archiveStem, copiesIn, readOrTell } from "./archived-copies.ts";
import { parsePackedAddress } from "./packed-address.ts";

/** The manifest of the session whose packed transcript is named; undefined when it is none, or gone. */
export function findManifest(session: Omit<SessionRef, "projectKey">): ArchiveManifest | undefined {
  return manifestWith(session, ({ items }) => packedTranscript(items) === session.path);
}

/** The same, also where the packed transcript of an agent of it is named. */
export function findManifestOfAny(session: Omit<SessionRef, "projectKey">): ArchiveManifest | undefined {
  return manifestWith(session, ({ items }) =>
    items.some((item) => !isArchivedLink(item) && item.packed === session.path),
  );
}

function manifestWith(
  { sessionId, path }: Omit<SessionRef, "projectKey">,
  holds: (manifest: ArchiveManifest) => boolean,
): ArchiveManifest | undefined {
  const holder = holderOf(path);
  if (holder === undefined) return undefined;
  const copies = readOrTell(holder, () => copiesIn(holder)) ?? [];
  for (const copy of copies) {
    if (copy.stem !== archiveStem(sessionId)) continue;
    const manifest = readOrTell(holder, () => copy.readManifest());
    if (manifest && holds(manifest)) return manifest;
  }
  return undefined;
}

// The pack, or in an archive of folders the folder above `files`.
function holderOf(path: string): string | undefined {
  const { file } = parsePackedAddress(path);
  return file === path ? /^(.*)\/files\/projects\/.*\.zst$/s.exec(path)?.[1] : file;
}
