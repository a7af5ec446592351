import { documentRoles, type DocumentRole } from "../../search/document-role.ts";
import type { SearchHit } from "../../search/read-hit.ts";

/** Who may have said what is looked for. */
export const hitRoles: readonly DocumentRole[] = documentRoles;

/** A hit as it leaves the process. */
export type HitView = SearchHit;

export function hitView(hit: SearchHit): HitView {
  const { sessionId, project, cwd, uuid, role, timestamp, snippet, score, ...more } = hit;
  return { sessionId, project, cwd, uuid, role, timestamp, snippet, score, ...more };
}
