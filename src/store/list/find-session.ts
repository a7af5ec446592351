import fs from "node:fs";
import path from "node:path";
import { matchId, nearIds } from "../../lib/match-id.ts";
import { isDenied } from "../../lib/names-in.ts";
import { parsePackedAddress } from "../archive/packed-address.ts";
import { storeError } from "../errors.ts";
import { eachProjectFolder, type TranscriptFile } from "./transcript-files.ts";

/** Where a session is. */
export interface SessionRef {
  sessionId: string;
  projectKey: string;
  /** The transcript file. */
  path: string;
}

/**
 * The session that a person means: a whole id, a prefix that only one session has, or the path of a transcript. An id that
 * is in two projects is ambiguous, too: say which by its path.
 */
export function findSession(configDir: string, id: string): SessionRef {
  if (/\.jsonl(?:\.zst)?$/.test(id) || id.includes(path.sep)) return findByPath(id);
  const files = [...eachProjectFolder(configDir)].flatMap((folder) => folder.sessions);
  const matches = matchId(files, id, ({ sessionId }) => sessionId);
  if (matches.length === 1) return refOf(matches[0]!);
  const newestFirst = matches.toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  if (newestFirst.length > 1) throw ambiguous(id, newestFirst);
  throw notFound(id, files);
}

// Only a name that ends so may be a transcript: other verbs append to what is found here, or move it away.
function findByPath(file: string): SessionRef {
  const resolved = path.resolve(file);
  // Of a session in the archive, the pack is the file.
  const found = statByPath(parsePackedAddress(resolved).file);
  const [, sessionId] = /^([^.].*)\.jsonl(?:\.zst)?$/.exec(path.basename(resolved)) ?? [];
  if (found?.isFile() && sessionId !== undefined) {
    return { sessionId, projectKey: path.basename(path.dirname(resolved)), path: resolved };
  }
  if (found) {
    const what = found.isDirectory() ? "it is a folder" : "it is not a transcript";
    throw storeError(
      "not_a_transcript",
      `Cannot read "${file}": ${what}; name a session id or a .jsonl file`,
      {
        fields: { path: resolved },
      },
    );
  }
  throw storeError("session_not_found", `Cannot find session "${file}": no such file`, {
    fields: { near: [] },
  });
}

function statByPath(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    // A link in a circle, or a name that no file can have.
    if (!isDenied(cause)) return undefined;
    throw storeError("not_a_transcript", `Cannot read "${file}": no permission; check its owner and mode`, {
      cause,
      fields: { path: file },
    });
  }
}

function refOf({ sessionId, projectKey, path: file }: TranscriptFile): SessionRef {
  return { sessionId, projectKey, path: file };
}

/** Says which sessions an id may mean, in the order given. */
export function ambiguous(id: string, matches: readonly SessionRef[]): Error {
  const candidates = matches.map(({ sessionId, projectKey, path: file }) => ({
    sessionId,
    project: projectKey,
    path: file,
  }));
  return storeError("session_ambiguous", `Cannot choose session "${id}": ${matches.length} sessions match`, {
    fields: { candidates },
  });
}

function notFound(id: string, files: TranscriptFile[]): Error {
  const ids = files.map(({ sessionId }) => sessionId);
  return storeError("session_not_found", `Cannot find session "${id}": no session has this id or prefix`, {
    fields: { id, near: nearIds(id, ids) },
  });
}
