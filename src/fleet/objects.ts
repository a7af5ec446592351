import { createHash } from "node:crypto";
import fs from "node:fs";
import { Objm } from "@nats-io/obj";
import { bundleBytesMax, bundleChunkBytes } from "../format/limits.ts";
import { writeFully } from "../lib/atomic-write.ts";
import type { FleetConnection } from "./connection.ts";
import { fleetError } from "./errors.ts";
import { readMessages } from "./log-reader.ts";
import { bundlesBucket } from "./names.ts";
import { untilServed } from "./retry.ts";
import { isObjectName, type StoredObject } from "./run-request.ts";

const STREAM = `OBJ_${bundlesBucket}`;

/**
 * Stores bytes under a session, named after their checksum: what is there already is not sent again, and nothing is ever
 * overwritten. Throws `bundle_refused` when they are too many.
 */
export async function putObject(
  connection: FleetConnection,
  sessionId: string,
  bytes: Uint8Array,
): Promise<StoredObject> {
  if (bytes.byteLength > bundleBytesMax) {
    throw fleetError(
      "bundle_refused",
      `Cannot send ${bytes.byteLength} bytes of session "${sessionId}": the limit is ${bundleBytesMax}`,
      { fields: { bytes: bytes.byteLength, limit: bundleBytesMax } },
    );
  }
  const object = `${sessionId}/${createHash("sha256").update(bytes).digest("hex")}`;
  if (await findObject(connection, object)) return { object, bytes: bytes.byteLength };
  await untilServed(
    async () => {
      const store = await new Objm(connection.js).open(bundlesBucket);
      await store.put({ name: object, options: { max_chunk_size: bundleChunkBytes } }, streamOf(bytes));
    },
    { timeoutMs: TRANSFER_MS },
  );
  return { object, bytes: bytes.byteLength };
}

/** Reads an object into a new file and checks it against its name. Throws `bundle_refused` for what is not what it says. */
export async function fetchObject(
  connection: FleetConnection,
  { object, bytes }: StoredObject,
  { file, signal }: { file: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const refused = (why: string): Error => fleetError("bundle_refused", `Cannot fetch "${object}": ${why}`);
  if (!isObjectName(object)) throw refused("this is no name of an object");
  if (!(bytes >= 0 && bytes <= bundleBytesMax))
    throw refused(`${bytes} bytes are more than ${bundleBytesMax}`);
  const info = await findObject(connection, object);
  if (!info) throw refused("it is no longer there");
  const hash = createHash("sha256");
  const fd = fs.openSync(file, "wx", 0o600);
  let size = 0;
  try {
    const chunks = { stream: STREAM, subject: `$O.${bundlesBucket}.C.${info.nuid}`, from: 1, signal };
    for await (const { data } of readMessages(connection, chunks, { batch: CHUNKS_AT_ONCE })) {
      size += data.byteLength;
      if (size > bytes) throw refused("it is larger than was said");
      hash.update(data);
      writeFully(fd, data);
    }
  } finally {
    fs.closeSync(fd);
  }
  const isWhole = size === bytes && hash.digest("hex") === object.split("/")[1];
  if (!isWhole) throw refused("what came is not what its name says");
}

interface ObjectInfo {
  nuid: string;
  size: number;
}

async function findObject({ jsm }: FleetConnection, object: string): Promise<ObjectInfo | undefined> {
  const name = Buffer.from(object).toString("base64url");
  const padded = name.padEnd(Math.ceil(name.length / 4) * 4, "=");
  const found = await untilServed(
    () => jsm.direct.getMessage(STREAM, { last_by_subj: `$O.${bundlesBucket}.M.${padded}` }),
    { timeoutMs: TRANSFER_MS },
  );
  if (!found) return undefined;
  const info = JSON.parse(Buffer.from(found.data).toString("utf8")) as ObjectInfo & { deleted?: boolean };
  return info.deleted ? undefined : info;
}

const TRANSFER_MS = 120_000;
/** Some megabytes on their way at a time. */
const CHUNKS_AT_ONCE = 16;

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
