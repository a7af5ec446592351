import { connectFleet, type FleetConnection } from "../transport/connection.ts";
import { fleetAddress, type AddressSource } from "./fleet-address.ts";
import type { Role } from "./roles.ts";

/** Connects in a role for one piece of work, and ends the connection whatever becomes of it. */
export async function withFleet<T>(
  source: AddressSource,
  role: Role,
  work: (connection: FleetConnection) => Promise<T>,
): Promise<T> {
  const connection = await connectFleet(fleetAddress(source, role), { name: `holdfast ${role}` });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
