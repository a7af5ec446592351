import { codeOf, HoldfastError, messageOf } from "../../../lib/errors.ts";
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
  ENOSPC: 503,
  EROFS: 503,
  EDQUOT: 503,
};

/** What was thrown, as an answer: the one translation of errors into HTTP. */
export function errorResponse(error: unknown): Response {
  const known = error instanceof HoldfastError;
  const code = codeOf(error) ?? "internal";
  const status = statusOfCode[code] ?? (known ? 409 : 500);
  const body = { code: known ? code : status === 503 ? "io" : "internal", message: messageOf(error) };
  return jsonResponse({ error: { ...(known && error.fields), ...body } }, status);
}
