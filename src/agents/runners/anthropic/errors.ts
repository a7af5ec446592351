import { makeError, type ErrorMaker } from "../../../lib/errors.ts";

// Codes of the Messages API; docs/errors.md explains them.
export const apiErrorCodes = [
  "api_key_missing",
  "api_refused",
  "api_unavailable",
  "run_interrupted",
] as const;
export type ApiErrorCode = (typeof apiErrorCodes)[number];

export const apiError: ErrorMaker<ApiErrorCode> = makeError;
