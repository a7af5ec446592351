import { makeError, type ErrorMaker } from "../../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them (checked by test/architecture.test.ts).
export const serverErrorCodes = [
  "invalid_request",
  "no_token",
  "wrong_origin",
  "no_route",
  "too_large",
  "not_json",
  "no_such_range",
  "wrong_host",
  "too_many",
  "ending",
] as const;
export type ServerErrorCode = (typeof serverErrorCodes)[number];

/** Refuses a request; `statusOf` has the status of each code. */
export const serverError: ErrorMaker<ServerErrorCode> = makeError;
