/**
 * The form of a packed file: independent zstd frames, then a table of their lengths in a skippable frame, as zstd's
 * "seekable format" describes it. So `zstd -d` unpacks it, and a reader finds any byte without unpacking what is before.
 */
export const packedSuffix = ".zst";

export interface Frame {
  /** Where it stands in the packed file. */
  at: number;
  length: number;
  /** Where its content stands in the unpacked file. */
  offset: number;
  bytes: number;
}

const SKIPPABLE_MAGIC = 0x184d2a5e;
const TABLE_MAGIC = 0x8f92eab1;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 8;
export const tableFooterBytes = 9;

export function buildFrameTable(frames: readonly Pick<Frame, "length" | "bytes">[]): Buffer {
  const content = frames.length * ENTRY_BYTES + tableFooterBytes;
  const table = Buffer.alloc(HEADER_BYTES + content);
  table.writeUInt32LE(SKIPPABLE_MAGIC, 0);
  table.writeUInt32LE(content, 4);
  frames.forEach(({ length, bytes }, index) => {
    table.writeUInt32LE(length, HEADER_BYTES + index * ENTRY_BYTES);
    table.writeUInt32LE(bytes, HEADER_BYTES + index * ENTRY_BYTES + 4);
  });
  const footer = table.length - tableFooterBytes;
  table.writeUInt32LE(frames.length, footer);
  table.writeUInt32LE(TABLE_MAGIC, footer + 5);
  return table;
}

/** How long the table is that ends with this footer; undefined when it is no footer of ours. */
export function frameTableBytes(footer: Buffer): number | undefined {
  if (footer.length !== tableFooterBytes || footer.readUInt32LE(5) !== TABLE_MAGIC) return undefined;
  // Any flag would mean longer entries, which we never write.
  return footer[4] === 0 ? HEADER_BYTES + footer.readUInt32LE(0) * ENTRY_BYTES + tableFooterBytes : undefined;
}

/** The frames before a table; undefined when they do not end where the table begins. */
export function parseFrameTable(table: Buffer, tableAt: number): Frame[] | undefined {
  if (table.length < HEADER_BYTES + tableFooterBytes) return undefined;
  if (table.readUInt32LE(0) !== SKIPPABLE_MAGIC || table.readUInt32LE(4) !== table.length - HEADER_BYTES)
    return undefined;
  const frames: Frame[] = [];
  let at = 0;
  let offset = 0;
  for (let entry = HEADER_BYTES; entry < table.length - tableFooterBytes; entry += ENTRY_BYTES) {
    const [length, bytes] = [table.readUInt32LE(entry), table.readUInt32LE(entry + 4)];
    frames.push({ at, length, offset, bytes });
    at += length;
    offset += bytes;
  }
  return at === tableAt ? frames : undefined;
}
