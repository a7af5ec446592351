import type { Entry } from "../../format/entries/entry.ts";
import { connectFleet } from "../transport/connection.ts";
import { entriesOf } from "../transport/large-entries.ts";
import type { SessionState } from "../transport/session-states.ts";
import { fleetAddress, type AddressSource } from "../server/fleet-address.ts";
import { withFleet } from "../server/with-fleet.ts";
import { readLog } from "./claim-run.ts";
import { findFleetSession } from "./find-fleet-session.ts";

/** A session of any machine, with what its log holds of the transcript, read when it is asked for. */
export interface FleetSession {
  session: SessionState;
  entries: AsyncGenerator<Entry>;
}

export async function readSession(source: AddressSource, id: string): Promise<FleetSession> {
  const session = await withFleet(source, "watcher", (connection) => findFleetSession(connection, id));
  return { session, entries: readEntries(source, session) };
}

// With a connection of its own, so that entries that nobody asks for hold none open.
async function* readEntries(
  source: AddressSource,
  { shard, sessionId }: SessionState,
): AsyncGenerator<Entry> {
  const connection = await connectFleet(fleetAddress(source, "watcher"), { name: "holdfast fleet show" });
  try {
    // A session that was sent away twice says some of it twice.
    const given = new Set<unknown>();
    for (const { event } of await readLog(connection, { shard, sessionId })) {
      for (const entry of await entriesOf(connection, event)) {
        const { uuid } = entry;
        if (uuid !== undefined && given.has(uuid)) continue;
        given.add(uuid);
        yield entry as Entry;
      }
    }
  } finally {
    await connection.close();
  }
}
