import { jsonText } from "../../../lib/json-text.ts";

export function jsonResponse(value: unknown, status = 200): Response {
  return new Response(jsonText(value), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8" },
  });
}
