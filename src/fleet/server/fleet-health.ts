import { codeOf } from "../../lib/errors.ts";
import { checkFleet } from "../transport/check-fleet.ts";
import { findFleetAddress, type AddressSource } from "./fleet-address.ts";

/** How the fleet is, in one line, with everything that was found where something is wrong. */
export interface FleetHealth {
  status: "ok" | "warn" | "fail";
  summary: string;
  mend?: string;
  findings?: readonly { text: string }[];
}

/** What is to be said of the fleet; undefined where none is known. */
export async function fleetHealth(source: AddressSource): Promise<FleetHealth | undefined> {
  const address = findAddress(source);
  if (!address) return undefined;
  const findings = await checkFleet(address);
  const worst =
    findings.find(({ status }) => status === "fail") ?? findings.find(({ status }) => status === "warn");
  return {
    status: worst?.status ?? "ok",
    summary: worst?.what ?? findings.map(({ what }) => what).join(", "),
    ...(worst?.mend !== undefined && { mend: worst.mend }),
    ...(worst && { findings: findings.map(({ what }) => ({ text: what })) }),
  };
}

function findAddress(source: AddressSource): ReturnType<typeof findFleetAddress> {
  try {
    return findFleetAddress(source, "watcher");
  } catch (error) {
    // The doctor says it of the settings.
    if (codeOf(error) !== "config_invalid") throw error;
    return undefined;
  }
}
