import path from "node:path";
import { configPaths, holdfastPaths, projectKey as projectKeyOf } from "../../format/paths.ts";
import { systemClock } from "../../lib/clock.ts";
import { nodeFileOps } from "../../lib/file-ops.ts";
import { isThere } from "../../lib/private-dir.ts";
import { storeError } from "../errors.ts";
import type { SessionRef } from "../list/find-session.ts";
import { isSameFile, moveTo, projectCompanions } from "../list/session-files.ts";
import { refuseWhileInUse, type StoreContext } from "../write/session-writer.ts";
import { openTranscriptWriter } from "../write/transcript-writer.ts";

/**
 * Files a session under the project of another working directory, as after a checkout was renamed. Its entries
 * keep the directory they were written in; one more line says where the session is at home now. The transcript
 * moves last, so a move that was cut off is finished by the same call again.
 */
export async function moveSession(
  context: StoreContext,
  session: SessionRef,
  cwd: string,
): Promise<SessionRef> {
  const { clock = systemClock, files = nodeFileOps } = context;
  const projectKey = projectKeyOf(cwd);
  const target = configPaths(context.configDir).transcriptPath({ projectKey, sessionId: session.sessionId });
  if (path.resolve(target) === path.resolve(session.path)) return session;
  if (!isThere(session.path))
    throw storeError("session_not_found", `Cannot move session "${session.sessionId}": its file is gone`);
  if (isThere(target) && !isSameFile(session.path, target)) {
    throw storeError(
      "target_exists",
      `Cannot move session "${session.sessionId}": project "${projectKey}" has one with this id`,
      {
        fields: { path: target },
      },
    );
  }
  refuseWhileInUse(context.configDir, session.sessionId);
  const leaseDir = holdfastPaths(context.home).leasesDir;
  const writer = openTranscriptWriter({
    file: session.path,
    sessionId: session.sessionId,
    leaseDir,
    durability: "sync",
    mustExist: true,
    files,
  });
  try {
    for (const from of projectCompanions(session))
      moveTo(from, path.join(path.dirname(target), path.basename(from)), files);
    await writer.append({
      type: "holdfast-moved",
      cwd,
      fromProject: session.projectKey,
      sessionId: session.sessionId,
      timestamp: clock.now().toISOString(),
    });
    moveTo(session.path, target, files);
  } finally {
    await writer.close();
  }
  return { sessionId: session.sessionId, projectKey, path: target };
}
