import { matchId } from "../../lib/match-id.ts";
import type { FleetConnection } from "../transport/connection.ts";
import { fleetError } from "../errors.ts";
import { listSessionStates, type SessionState } from "../transport/session-states.ts";
import { sessionOfAddress } from "../../tasks/kinds/remote/remote-settings.ts";

/** A session of the fleet by its id, a unique beginning of it, or the URL of its log. Throws `run_not_found`. */
export async function findFleetSession(connection: FleetConnection, given: string): Promise<SessionState> {
  const id = sessionOfAddress(given) ?? given;
  const all: SessionState[] = [];
  for await (const state of listSessionStates(connection)) all.push(state);
  const found = matchId(all, id, ({ sessionId }) => sessionId);
  const [first] = found;
  if (first && found.length === 1) return first;
  const why = first ? `${found.length} sessions begin so` : "the fleet does not know it";
  throw fleetError("run_not_found", `Cannot find session "${given}": ${why}`, {
    fields: { candidates: found.slice(0, 10).map(({ sessionId }) => sessionId) },
  });
}
