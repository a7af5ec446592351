import { codeOf } from "../../lib/errors.ts";
import { checkFleet, type FleetFinding } from "../transport/check-fleet.ts";
import { findFleetAddress, type AddressSource } from "./fleet-address.ts";

/** All findings as one answer: the worst one first. */
export interface FleetHealth extends Pick<FleetFinding, "status" | "suggestion"> {
  summary: string;
  findings?: { text: string }[];
}

/** What the doctor says of the fleet; undefined where none is known. */
export async function fleetHealth(source: AddressSource): Promise<FleetHealth | undefined> {
  let address: ReturnType<typeof findFleetAddress>;
  try {
    address = findFleetAddress(source, "watcher");
  } catch (error) {
    // The doctor says it of the settings.
    if (codeOf(error) !== "config_invalid") throw error;
  }
  if (!address) return undefined;
  const findings = await checkFleet(address);
  const worst =
    findings.find(({ status }) => status === "fail") ?? findings.find(({ status }) => status === "warn");
  return {
    status: worst?.status ?? "ok",
    summary: worst?.what ?? findings.map(({ what }) => what).join(", "),
    ...(worst?.suggestion && { suggestion: worst.suggestion }),
    ...(worst && { findings: findings.map(({ what }) => ({ text: what })) }),
  };
}
