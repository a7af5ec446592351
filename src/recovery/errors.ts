import { makeError, type ErrorMaker } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them.
export const recoveryErrorCodes = ["settings_invalid"] as const;
export type RecoveryErrorCode = (typeof recoveryErrorCodes)[number];

export const recoveryError: ErrorMaker<RecoveryErrorCode> = makeError;
