import { codeOf, HoldfastError, messageOf } from "../../../lib/errors.ts";
import type { Suggestion } from "../../../lib/suggestion.ts";
import { suggestionText } from "../../../lib/suggestion-text.ts";
import type { ErrorAnswer } from "../api/index.ts";
import { jsonResponse } from "./json-response.ts";

// What is not here is 500 when it is a defect, and 409 when it is a condition that somebody handles.
const statusOfCode: Readonly<Record<string, number>> = {
  invalid_request: 400,
  invalid_name: 400,
  query_invalid: 400,
  expression_invalid: 400,
  setting_invalid: 400,
  no_token: 401,
  wrong_origin: 403,
  no_route: 404,
  task_not_found: 404,
  session_not_found: 404,
  message_not_found: 404,
  entry_not_found: 404,
  companion_not_found: 404,
  trash_not_found: 404,
  archive_not_found: 404,
  too_large: 413,
  not_json: 415,
  no_such_range: 416,
  wrong_host: 421,
  too_many: 429,
  ending: 503,
};

// The disk takes nothing: the same may succeed when there is room.
const fullOrReadOnly: ReadonlySet<unknown> = new Set(["ENOSPC", "EROFS", "EDQUOT"]);

/** What was thrown, as an answer: the one translation of errors into HTTP. */
export function errorResponse(error: unknown): Response {
  return jsonResponse({ error: describe(error) }, statusOf(error));
}

function statusOf(error: unknown): number {
  const { cause, fields } = error as Partial<HoldfastError>;
  const { errno } = fields ?? {};
  if ([codeOf(error), codeOf(cause), errno].some((code) => fullOrReadOnly.has(code))) return 503;
  if (isRefusedValue(error)) return 400;
  return statusOfCode[codeOf(error) ?? ""] ?? (error instanceof HoldfastError ? 409 : 500);
}

function describe(error: unknown): ErrorAnswer["error"] {
  const message = messageOf(error);
  if (isRefusedValue(error)) return { code: "invalid_request", message };
  if (!(error instanceof HoldfastError))
    return { code: fullOrReadOnly.has(codeOf(error)) ? "io" : "internal", message };
  const { suggestion, ...fields } = error.fields as { suggestion?: Suggestion };
  const next = suggestion && { ...suggestion, command: suggestionText(suggestion) };
  return { ...fields, code: error.code, message, ...(next && { next }) };
}

// The house's way to refuse an argument; any other error of this type is a defect.
function isRefusedValue(error: unknown): boolean {
  return error instanceof RangeError && error.message.startsWith("Cannot ");
}
