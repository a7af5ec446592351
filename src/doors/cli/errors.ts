import { makeError, type ErrorMaker } from "../../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them (checked by test/architecture.test.ts).
// `io` and `internal` are what `--json` calls a refusal of the system and a defect of ours.
export const cliErrorCodes = [
  "usage",
  "output_exists",
  "needs_confirmation",
  "declined",
  "no_dashboard",
  "io",
  "internal",
] as const;
export type CliErrorCode = (typeof cliErrorCodes)[number];

export const cliError: ErrorMaker<CliErrorCode> = makeError;

/** A verb ("": none) was not called as it is meant to be; names the help that says how. */
export function usageError(verb: string, message: string): Error {
  return cliError("usage", message, {
    fields: { help: ["holdfast", verb, "--help"].filter(Boolean).join(" ") },
  });
}
