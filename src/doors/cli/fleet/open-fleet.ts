import { connectFleet, type FleetConnection } from "../../../fleet/transport/connection.ts";
import type { Role } from "../../../fleet/server/roles.ts";
import type { CommandContext } from "../command.ts";
import { fleetAddress } from "../../../fleet/server/fleet-address.ts";

/** Connects a command to the fleet in a role. */
export async function openFleet(
  { environment }: Pick<CommandContext, "environment">,
  role: Role,
): Promise<FleetConnection> {
  return connectFleet(fleetAddress(environment, role), { name: `holdfast ${role}` });
}
