import { createHash } from "node:crypto";
import fs from "node:fs";
import { headers, nuid } from "@nats-io/transport-node";
import { bundleBytesMax, bundleChunkBytes } from "../limits.ts";
import { writeFully } from "../../lib/atomic-write.ts";
import type { FleetConnection } from "./connection.ts";
import { fleetError } from "../errors.ts";
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
  if (!(await findObject(connection, object))) await writeObject(connection, object, bytes);
  return { object, bytes: bytes.byteLength };
}

// As the object stores of NATS are laid out, so that its own tools can read them: chunks under a random id, then the
// entry that names it. What is not named yet does not exist; what a dead writer left goes with its age.
async function writeObject(connection: FleetConnection, object: string, bytes: Uint8Array): Promise<void> {
  const id = nuid.next();
  let chunks = 0;
  for (let at = 0; at < bytes.byteLength; at += bundleChunkBytes) {
    const subject = `$O.${bundlesBucket}.C.${id}`;
    await publish(connection, {
      subject,
      id: `${id}:${chunks++}`,
      data: bytes.subarray(at, at + bundleChunkBytes),
    });
  }
  const info = {
    name: object,
    bucket: bundlesBucket,
    nuid: id,
    size: bytes.byteLength,
    chunks,
    digest: `SHA-256=${createHash("sha256").update(bytes).digest("base64url")}=`,
    mtime: new Date().toISOString(),
    options: { max_chunk_size: bundleChunkBytes },
  };
  await publish(connection, {
    subject: metaSubject(object),
    id,
    data: Buffer.from(JSON.stringify(info)),
    isLast: true,
  });
}

async function publish(
  { js }: FleetConnection,
  { subject, id, data, isLast = false }: { subject: string; id: string; data: Uint8Array; isLast?: boolean },
): Promise<void> {
  const rollup = headers();
  rollup.set("Nats-Rollup", "sub");
  await untilServed(
    () => js.publish(subject, data, { msgID: id, retries: 0, ...(isLast && { headers: rollup }) }),
    { timeoutMs: TRANSFER_MS },
  );
}

function metaSubject(object: string): string {
  const name = Buffer.from(object).toString("base64url");
  return `$O.${bundlesBucket}.M.${name.padEnd(Math.ceil(name.length / 4) * 4, "=")}`;
}

/** Reads an object into a new file and checks it against its name. Throws `bundle_refused` for what is not what it says. */
export async function fetchObject(
  connection: FleetConnection,
  stored: StoredObject,
  { file, signal }: { file: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const fd = fs.openSync(file, "wx", 0o600);
  try {
    for await (const data of readChunks(connection, stored, signal)) writeFully(fd, data);
  } finally {
    fs.closeSync(fd);
  }
}

/** The same for an object that is text. */
export async function readObject(connection: FleetConnection, stored: StoredObject): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const data of readChunks(connection, stored)) chunks.push(data);
  return Buffer.concat(chunks).toString("utf8");
}

// Whoever reads to the end without an error has what the name says.
async function* readChunks(
  connection: FleetConnection,
  { object, bytes }: StoredObject,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const refused = (why: string): Error => fleetError("bundle_refused", `Cannot fetch "${object}": ${why}`);
  if (!isObjectName(object)) throw refused("this is no name of an object");
  if (!(bytes >= 0 && bytes <= bundleBytesMax))
    throw refused(`${bytes} bytes are more than ${bundleBytesMax}`);
  const info = await findObject(connection, object);
  if (!info) throw refused("it is no longer there");
  const hash = createHash("sha256");
  let size = 0;
  const chunks = { stream: STREAM, subject: `$O.${bundlesBucket}.C.${info.nuid}`, from: 1, signal };
  for await (const { data } of readMessages(connection, chunks, { batch: CHUNKS_AT_ONCE })) {
    size += data.byteLength;
    if (size > bytes) throw refused("it is larger than was said");
    hash.update(data);
    yield data;
  }
  const isWhole = size === bytes && hash.digest("hex") === object.split("/")[1];
  if (!isWhole) throw refused("what came is not what its name says");
}

async function findObject({ jsm }: FleetConnection, object: string): Promise<{ nuid: string } | undefined> {
  const found = await untilServed(
    () => jsm.direct.getMessage(STREAM, { last_by_subj: metaSubject(object) }),
    { timeoutMs: TRANSFER_MS },
  );
  if (!found) return undefined;
  const info = JSON.parse(Buffer.from(found.data).toString("utf8")) as { nuid: string; deleted?: boolean };
  return info.deleted ? undefined : info;
}

const TRANSFER_MS = 120_000;
/** Some megabytes on their way at a time. */
const CHUNKS_AT_ONCE = 16;
