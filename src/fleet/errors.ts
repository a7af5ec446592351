import { makeError, type ErrorMaker } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them.
export const fleetErrorCodes = [
  "fleet_unreachable",
  "fleet_forbidden",
  "fleet_too_old",
  "fleet_not_ready",
  "fleet_fenced",
  "fleet_server_missing",
  "fleet_conflict",
  "fleet_invalid",
  "run_not_found",
  "bundle_refused",
] as const;
export type FleetErrorCode = (typeof fleetErrorCodes)[number];

export const fleetError: ErrorMaker<FleetErrorCode> = makeError;
