import { HoldfastError } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them.
export const healthErrorCodes = ["repair_failed"] as const;
export type HealthErrorCode = (typeof healthErrorCodes)[number];

export interface HealthErrorOptions {
  fields?: Record<string, unknown>;
}

export function healthError(
  code: HealthErrorCode,
  message: string,
  options: HealthErrorOptions = {},
): HoldfastError {
  return new HoldfastError(message, { code, ...options });
}
