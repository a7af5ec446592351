/**
 * Owns the contract of the HTTP interface: every route with its path, query, body and answer, and every event. Types only, so
 * that the page imports them without anything that runs. Never holds a shape of its own where a view has it.
 *
 * A route has one of `answer` (JSON), `lines` (JSON, a line each, while it is made), `file` (bytes) and `events`.
 * docs/reference/http.md says it in words; `GET /api/openapi.json` for programs.
 */
export type { ErrorAnswer } from "./answers.ts";
export type { Api, RouteName } from "./routes.ts";
export type { ServerEvents, WatchBody } from "./event-routes.ts";
