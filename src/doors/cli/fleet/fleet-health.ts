import { checkFleet } from "../../../fleet/transport/check-fleet.ts";
import { codeOf } from "../../../lib/errors.ts";
import type { CheckedHealth } from "../../../health/run-checks.ts";
import type { CommandContext } from "../command.ts";
import { findFleetAddress } from "../../../fleet/server/fleet-address.ts";

/** What the doctor says of the fleet; undefined where none is known. */
export async function fleetHealth({
  environment,
}: Pick<CommandContext, "environment">): Promise<CheckedHealth | undefined> {
  let address: ReturnType<typeof findFleetAddress>;
  try {
    address = findFleetAddress(environment, "watcher");
  } catch (error) {
    // The doctor says it of the settings.
    if (codeOf(error) !== "config_invalid") throw error;
  }
  if (!address) return undefined;
  const findings = await checkFleet(address);
  const worst =
    findings.find(({ status }) => status === "fail") ?? findings.find(({ status }) => status === "warn");
  const summary = worst?.what ?? findings.map(({ what }) => what).join(", ");
  return {
    name: "fleet",
    group: "environment",
    status: worst?.status ?? "ok",
    summary,
    ...(worst?.mend !== undefined && { mend: worst.mend }),
    ...(worst && { findings: findings.map(({ what }) => ({ text: what })) }),
  };
}
