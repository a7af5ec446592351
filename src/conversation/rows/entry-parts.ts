import type { Entry } from "../../format/entries/entry.ts";
import { uuidOf } from "../../format/entry-kinds.ts";
import { storeError, entryNotFound } from "../../store/errors.ts";
import { hashText } from "../../store/line/line-table.ts";
import { entryItems } from "../entry-items.ts";
import type { ConversationRows } from "./conversation-rows.ts";
import { entryImages } from "./entry-images.ts";
import { textOfItem } from "./long-text.ts";

export interface NamedEntry {
  rows: ConversationRows;
  file: string;
  /** Its uuid or, behind an `@`, the offset of its line. */
  name: string;
}

/** An entry of a transcript, of whatever branch. Throws `entry_not_found`. */
export function entryNamed({ rows, file, name }: NamedEntry): Entry {
  const line = name.startsWith("@")
    ? rows.lineAt(Number(name.slice(1)))
    : rows.table.findByUuid(hashText(name));
  const entry = (line === undefined ? undefined : rows.entryAt(line)?.entry) ?? rows.owedEntry(name);
  if (!entry || (!name.startsWith("@") && uuidOf(entry) !== name)) throw entryNotFound(file, name);
  return entry;
}

/** A text of an entry, whole. Throws `entry_not_found`. */
export function textPart(named: NamedEntry, part: number): string {
  const item = [...entryItems(entryNamed(named))][part];
  const text = item && textOfItem(item);
  if (text === undefined) throw noPart(named, `text ${part}`);
  return text;
}

export interface ImagePart {
  mediaType: string;
  bytes: Uint8Array;
}

/** An image of an entry. Throws `entry_not_found`. */
export function imagePart(named: NamedEntry, part: number): ImagePart {
  const image = entryImages(entryNamed(named))[part];
  if (!image) throw noPart(named, `image ${part}`);
  return { mediaType: image.mediaType, bytes: Buffer.from(image.data, "base64") };
}

function noPart({ file, name }: NamedEntry, what: string): Error {
  return storeError("entry_not_found", `Cannot read ${what} of entry "${name}": it has none`, {
    fields: { uuid: name, path: file },
  });
}
