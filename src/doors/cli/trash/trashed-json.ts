import type { TrashedSession } from "../../../store/change/trash-session.ts";

export function trashedJson(trashed: TrashedSession): Record<string, unknown> {
  const { sessionId, project, title = null, trashedAt, files, bytes, reset, dir } = trashed;
  return {
    sessionId,
    project,
    title,
    trashedAt,
    files,
    bytes,
    ...(reset && { reset: reset.id }),
    path: dir,
  };
}
