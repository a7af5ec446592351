/** The pages by their addresses. A part in braces is a parameter; one with `?` may be missing. */
export const routes = {
  now: "/",
  tasks: "/tasks",
  task: "/tasks/{id}/{tab?}",
  sessions: "/sessions",
  session: "/sessions/{id}/{tab?}",
  search: "/search",
  usage: "/usage",
  recover: "/recover",
  fleet: "/fleet",
  doctor: "/doctor",
  trash: "/trash",
  settings: "/settings",
} as const;

export type PageName = keyof typeof routes;

export interface Match {
  page: PageName;
  id: string;
  tab: string | undefined;
}

/** The page of an address; undefined for one that no page has. */
export function matchRoute(path: string): Match | undefined {
  const parts = path.replace(/\/+$/, "").split("/");
  for (const [page, pattern] of Object.entries(routes) as [PageName, string][]) {
    const found = matchParts(pattern.replace(/\/+$/, "").split("/"), parts);
    if (found) return { page, id: found["id"] ?? "", tab: found["tab"] };
  }
  return undefined;
}

function matchParts(pattern: string[], parts: string[]): Record<string, string> | undefined {
  if (parts.length > pattern.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index];
    const [, name, isOptional] = /^\{(\w+)(\?)?\}$/.exec(wanted) ?? [];
    if (name === undefined ? part !== wanted : part === undefined && isOptional === undefined)
      return undefined;
    if (name !== undefined && part !== undefined) found[name] = decodePart(part);
  }
  return found;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function taskUrl(id: string, tab?: string): string {
  return `/tasks/${encodeURIComponent(id)}${tab ? `/${tab}` : ""}`;
}

/** A session, one of its sub-agents, or a message in it. */
export function sessionUrl(
  id: string,
  {
    project,
    agent,
    uuid,
    tab,
  }: { project?: string | null; agent?: string | null; uuid?: string | null; tab?: string } = {},
): string {
  const query = new URLSearchParams();
  if (project) query.set("project", project);
  if (agent) query.set("agent", agent);
  const search = query.toString();
  const path = `/sessions/${encodeURIComponent(id)}${tab ? `/${tab}` : ""}`;
  return `${path}${search && `?${search}`}${uuid ? `#e=${encodeURIComponent(uuid)}` : ""}`;
}
