import type { FleetOverview } from "../../fleet/runs/fleet-overview.ts";

/** The fleet at this moment, as far as one is known and answers. */
export type FleetView =
  | { isKnown: false }
  | ({ isKnown: true; error?: undefined } & FleetOverview)
  /** The servers do not answer. */
  | { isKnown: true; error: string };
