import { HoldfastError } from "../../lib/errors.ts";

// Codes of the Messages API; docs/errors.md explains them.
export const apiErrorCodes = [
  "api_key_missing",
  "api_refused",
  "api_unavailable",
  "run_interrupted",
] as const;
export type ApiErrorCode = (typeof apiErrorCodes)[number];

export function apiError(
  code: ApiErrorCode,
  message: string,
  options: { retryable?: boolean; cause?: unknown; fields?: Record<string, unknown> } = {},
): HoldfastError {
  return new HoldfastError(message, { code, ...options });
}
