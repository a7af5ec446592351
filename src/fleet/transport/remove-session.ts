import type { FleetConnection } from "./connection.ts";
import { fleetError } from "../errors.ts";
import { readMessages } from "./log-reader.ts";
import {
  bundlesBucket,
  controlStream,
  controlSubject,
  logStream,
  logSubject,
  sessionsBucket,
  sessionSubject,
} from "./names.ts";
import type { SessionState } from "./session-states.ts";

/**
 * Takes an ended session off the servers: its log, controls, workspaces, and its state last, so that one that was cut off
 * can be asked for again. Needs the administrator's key. Throws `fleet_conflict` while it runs.
 */
export async function removeSession(
  connection: FleetConnection,
  { sessionId, shard, status }: SessionState,
): Promise<{ events: number; objects: number }> {
  if (status === "queued" || status === "running")
    throw fleetError(
      "fleet_conflict",
      `Cannot remove session "${sessionId}": it is ${status}; stop it first`,
    );
  const { streams } = connection.jsm;
  const { purged: events } = await streams.purge(logStream(shard), {
    filter: logSubject({ shard, sessionId }),
  });
  for (const filter of [controlSubject({ sessionId }), `${controlSubject({ sessionId })}.*`])
    await streams.purge(controlStream, { filter });
  const objects = await removeObjects(connection, sessionId);
  await streams.purge(`KV_${sessionsBucket}`, { filter: sessionSubject(sessionId) });
  return { events, objects };
}

async function removeObjects(connection: FleetConnection, sessionId: string): Promise<number> {
  const stream = `OBJ_${bundlesBucket}`;
  const { streams } = connection.jsm;
  let objects = 0;
  const entries = readMessages(connection, { stream, subject: `$O.${bundlesBucket}.M.>`, from: 1 });
  for await (const { subject, data } of entries) {
    const { name, nuid } = JSON.parse(Buffer.from(data).toString("utf8")) as { name: string; nuid: string };
    if (!name.startsWith(`${sessionId}/`)) continue;
    await streams.purge(stream, { filter: `$O.${bundlesBucket}.C.${nuid}` });
    await streams.purge(stream, { filter: subject });
    objects++;
  }
  return objects;
}
