import fs from "node:fs";
import path from "node:path";
import type { FleetConnection } from "./connection.ts";
import { encodeEvent, type LogEvent, type TranscriptEntry } from "./log-event.ts";
import { fetchObject, putObject } from "./objects.ts";

/** Room in a message for its headers. */
const HEADER_BYTES = 16 * 1024;

/** An event as it goes into the log: a line that is too large for a message goes to the object store first. */
export async function encodeFitting(connection: FleetConnection, event: LogEvent): Promise<Uint8Array> {
  const data = encodeEvent(event);
  const bytesMax = (connection.nc.info?.max_payload ?? 0) - HEADER_BYTES;
  if (event.kind !== "entry" || data.byteLength <= bytesMax) return data;
  const sessionId = String(event.entry["sessionId"]);
  const line = Buffer.from(JSON.stringify(event.entry));
  return encodeEvent({ kind: "large-entry", ...(await putObject(connection, sessionId, line)) });
}

/** The line of a transcript that an event holds or names; undefined for all other events. */
export async function entryOf(
  connection: FleetConnection,
  event: LogEvent,
  { tempDir }: { tempDir: string },
): Promise<TranscriptEntry | undefined> {
  if (event.kind === "entry") return event.entry;
  if (event.kind !== "large-entry") return undefined;
  const file = path.join(tempDir, `entry-${process.hrtime.bigint()}`);
  try {
    await fetchObject(connection, event, { file });
    return JSON.parse(fs.readFileSync(file, "utf8")) as TranscriptEntry;
  } finally {
    fs.rmSync(file, { force: true });
  }
}
