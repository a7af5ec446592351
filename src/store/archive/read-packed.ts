import fs from "node:fs";
import { tempName } from "../../lib/temp-name.ts";
import { parsePackedAddress } from "./packed-address.ts";
import { openPackedFile } from "./packed-file.ts";
import { packedSuffix } from "./packed-form.ts";

/** Whether a path is that of a file in the archive. */
export function isPacked(file: string): boolean {
  return file.endsWith(packedSuffix);
}

/** The content of a file in the archive, or its first `bytes`, piece by piece. Throws `archive_damaged`. */
export function* readPacked(address: string, { bytes }: { bytes?: number } = {}): Generator<Buffer> {
  const { file, ...range } = parsePackedAddress(address);
  const packed = openPackedFile(file);
  try {
    yield* packed.read({ ...range, ...(bytes !== undefined && { bytes }) });
  } finally {
    packed.close();
  }
}

/**
 * The content as an open file without a name, for readers that jump. It is gone when the descriptor is closed, also by a
 * kill. It takes its length on the disk while it is open, and no more memory than a frame.
 */
export function openPacked(address: string): number {
  const temp = tempName(parsePackedAddress(address).file);
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const fd = fs.openSync(temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    // A process that opens the archive for changes may have taken it for a dead one's, and removed it.
    fs.rmSync(temp, { force: true });
    for (const piece of readPacked(address)) fs.writeFileSync(fd, piece);
    return fd;
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
}
