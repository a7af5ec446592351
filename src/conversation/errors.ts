import { makeError, type ErrorMaker } from "../lib/errors.ts";

// Every code of this folder; docs/errors.md explains them (checked by test/architecture.test.ts).
export const conversationErrorCodes = ["expression_invalid"] as const;
export type ConversationErrorCode = (typeof conversationErrorCodes)[number];

export const conversationError: ErrorMaker<ConversationErrorCode> = makeError;
