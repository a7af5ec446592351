import { makeError, type ErrorMaker } from "../../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them (checked by test/architecture.test.ts).
export const mcpErrorCodes = ["invalid_arguments"] as const;
export type McpErrorCode = (typeof mcpErrorCodes)[number];

export const mcpError: ErrorMaker<McpErrorCode> = makeError;
