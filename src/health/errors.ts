import { makeError, type ErrorMaker } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them.
export const healthErrorCodes = ["repair_failed"] as const;
export type HealthErrorCode = (typeof healthErrorCodes)[number];

export const healthError: ErrorMaker<HealthErrorCode> = makeError;
