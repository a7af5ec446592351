/** Where the long texts and images of a conversation are, as a page asks for them. */
export function rowAddressOf(
  id: string,
  { project, agent }: { project?: string; agent?: string },
): { path: string; query: string } {
  const query = new URLSearchParams({
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
  });
  return { path: `/api/sessions/${encodeURIComponent(id)}`, query: query.toString() };
}
