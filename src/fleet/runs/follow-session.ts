import { logAddress } from "../../tasks/kinds/remote/remote-settings.ts";
import { fleetAddress, type FleetPlace } from "../server/fleet-address.ts";
import { connectFleet, withoutSecrets } from "../transport/connection.ts";
import { findFleetSession } from "./find-fleet-session.ts";
import type { RemoteRequest } from "./launch-remote.ts";

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
    return {
      prompt: description,
      description,
      cwd,
      runner: { name: "anthropic" },
      remote: {
        sessionId,
        run,
        url: logAddress(sessionId),
        address: { ...address, servers: address.servers.map(withoutSecrets) },
      },
    };
  } finally {
    await connection.close();
  }
}
