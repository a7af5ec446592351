import path from "node:path";
import { configPaths, isSafeName, projectKey } from "../format/paths.ts";
import { lazily } from "../lib/lazily.ts";
import { findClientProcess } from "../store/write/client-processes.ts";
import { readClientNotices, type ClientNotices } from "./client-notices.ts";
import { toldTranscriptsMax } from "./limits.ts";
import type { RecoverOptions } from "./recover-options.ts";
import { isOwnWork, type RecoveredItem } from "./recovered-item.ts";

/** What the transcripts say of who launched what, and of who was told. Each is read when it is first asked for. */
export interface ReaderView {
  /** Its session launched it, or began as a copy of one that did: its client says that it did not finish. */
  isMine(work: { id: string; sessionId: string | undefined }): boolean;
  /** Who was told by the client: this session, or the one that launched it. Undefined when nobody was. */
  toldByClient(item: RecoveredItem): string | undefined;
  /** The client is about to tell it: it says so, or it had no turn yet in which to tell it. */
  isClientAboutToTell(item: RecoveredItem): boolean;
}

/** How a session sees the work of its project. Without a session it is a person's view, to whom no client tells anything. */
export function readerView(options: RecoverOptions): ReaderView {
  const { sessionId, configDir } = options;
  const noticesOf = noticeReader(transcriptOf(options));
  const clientSince = lazily(() => findClientProcess(configDir, sessionId ?? "")?.startedAt ?? 0);
  return {
    isMine: ({ id, sessionId: launcher }) =>
      sessionId !== undefined && (launcher === sessionId || noticesOf(sessionId)?.doubts(id) === true),
    toldByClient(item) {
      if (sessionId === undefined || item.owner !== "client") return undefined;
      const hasTold = (session: string): boolean =>
        noticesOf(session)?.hasTold(item.id, runSince(item)) === true;
      if (hasTold(sessionId)) return sessionId;
      const { sessionId: launcher } = item;
      return launcher !== undefined && !isOwnWork(item, sessionId) && hasTold(launcher)
        ? launcher
        : undefined;
    },
    isClientAboutToTell(item) {
      const said = sessionId !== undefined && item.owner === "client" ? noticesOf(sessionId) : undefined;
      if (!said?.canLook) return false;
      // What a client that is dead had still to tell, nobody tells.
      const since = [runSince(item), new Date(clientSince()).toISOString()].sort().at(-1)!;
      if (said.isQueued(item.id, since)) return true;
      if (!item.isLeftToClient || item.sessionId !== sessionId) return false;
      const hadTurnAt = new Date(Date.parse(item.endedAt ?? "") + TURN_GRACE_MS);
      return Number.isNaN(hadTurnAt.getTime()) || said.lastAnswerAt < hadTurnAt.toISOString();
    },
  };
}

// An answer that comes this soon after the ending belongs to a request that was made before it.
const TURN_GRACE_MS = 2000;

// What was said of an earlier run under the same id does not count.
function runSince({ isRerun, startedAt }: RecoveredItem): string {
  return isRerun ? startedAt : "";
}

/** Where the client writes down what is said in the session. */
function transcriptOf({ transcript, configDir, projectDir, sessionId }: RecoverOptions): string | undefined {
  if (transcript !== undefined || projectDir === undefined || sessionId === undefined) return transcript;
  if (!isSafeName(sessionId)) return undefined;
  return configPaths(configDir).transcriptPath({ projectKey: projectKey(projectDir), sessionId });
}

// The other sessions of the project have theirs beside it.
function noticeReader(transcript: string | undefined): (sessionId: string) => ClientNotices | undefined {
  const read = new Map<string, ClientNotices>();
  return (sessionId) => {
    if (transcript === undefined || !isSafeName(sessionId)) return undefined;
    const known = read.get(sessionId);
    if (known || read.size >= toldTranscriptsMax) return known;
    const notices = readClientNotices(path.join(path.dirname(transcript), `${sessionId}.jsonl`));
    read.set(sessionId, notices);
    return notices;
  };
}
