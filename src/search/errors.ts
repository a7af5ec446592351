import { HoldfastError } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them (checked by test/architecture.test.ts).
export const searchErrorCodes = ["query_invalid"] as const;
export type SearchErrorCode = (typeof searchErrorCodes)[number];

export function searchError(code: SearchErrorCode, message: string, cause?: unknown): HoldfastError {
  return new HoldfastError(message, { code, ...(cause !== undefined && { cause }) });
}
