/** Where the long texts and the images of a conversation are: below this path, with this query. */
export interface RowAddress {
  path: string;
  query: string;
}

/** The address of a text or an image: of which entry, and which one of it. */
export function addressOf(
  { path, query }: RowAddress,
  kind: "text" | "image",
  { entry, part }: { entry: string; part: number },
): string {
  return `${path}/${kind}/${encodeURIComponent(entry)}/${part}${query === "" ? "" : `?${query}`}`;
}

/** How an entry is named in an address: by its uuid or, where it has none, by the offset of its line. */
export function entryName({ uuid, offset }: { uuid: string | undefined; offset: number | null }): string {
  return uuid ?? `@${offset ?? 0}`;
}
