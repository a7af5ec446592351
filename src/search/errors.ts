import { makeError, type ErrorMaker } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them (checked by test/architecture.test.ts).
export const searchErrorCodes = ["query_invalid", "search_interrupted", "index_unwritable"] as const;
export type SearchErrorCode = (typeof searchErrorCodes)[number];

export const searchError: ErrorMaker<SearchErrorCode> = makeError;
