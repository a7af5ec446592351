import { fleetAddress, type FleetPlace } from "../server/fleet-address.ts";
import { connectFleet } from "../transport/connection.ts";
import { findFleetSession } from "./find-fleet-session.ts";
import { remoteSettings, type RemoteRequest } from "./launch-remote.ts";

/** What it takes to follow a session here that another machine dispatched. */
export async function requestToFollow(
  place: FleetPlace,
  session: string,
  { cwd }: { cwd: string },
): Promise<RemoteRequest> {
  const address = fleetAddress(place, "dispatcher");
  const connection = await connectFleet(address, { name: "holdfast fleet follow" });
  try {
    const { sessionId, run, description } = await findFleetSession(connection, session);
    const remote = remoteSettings(address, { sessionId, run });
    return { prompt: description, description, cwd, runner: { name: "anthropic" }, remote };
  } finally {
    await connection.close();
  }
}
