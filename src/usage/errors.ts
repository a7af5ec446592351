import { HoldfastError } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them (checked by test/architecture.test.ts).
export const usageErrorCodes = ["prices_invalid"] as const;
export type UsageErrorCode = (typeof usageErrorCodes)[number];

export function pricesInvalid(file: string, why: string): HoldfastError {
  const code: UsageErrorCode = "prices_invalid";
  return new HoldfastError(`Cannot read prices in "${file}": ${why}`, { code, fields: { path: file } });
}
