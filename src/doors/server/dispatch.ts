import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { z } from "zod";
import { eventsResponse } from "./answers/events-response.ts";
import { fileResponse } from "./answers/file-response.ts";
import { jsonResponse } from "./answers/json-response.ts";
import { linesResponse } from "./answers/lines-response.ts";
import { serverError } from "./errors.ts";
import { readBody } from "./read-body.ts";
import type { Route } from "./route.ts";
import type { ServerWorld } from "./server-world.ts";

/** Answers one request by its route: path, query and body are checked first. */
export async function dispatch(route: Route, context: Context, world: ServerWorld): Promise<Response> {
  const { req } = context;
  const given = {
    path: checkedPath(req.param()),
    query: route.query && checked(route.query, queryOf(req.url), "query"),
    body: route.body && checked(route.body, await readBody(req.raw), "body"),
    world,
    cookie: getCookie(context, world.access.browsers.cookieName),
    lastEventId: req.header("last-event-id"),
    signal: AbortSignal.any([req.raw.signal, world.ending]),
  } as never;
  if (route.answer) return jsonResponse(await route.answer(given));
  if (route.file) return fileResponse(await route.file(given), req.raw);
  if (route.events) return eventsResponse(route.events(given));
  return linesResponse(route.lines!(given));
}

// Ids of tasks, sessions, messages and agents, numbers of parts: nothing that could name another folder.
const partOfPath = /^[\w@-][\w.@-]{0,199}$/;

function checkedPath(path: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(path))
    if (!partOfPath.test(value))
      throw serverError("invalid_request", `Cannot take "${name}" of the path: it is not an id`, {
        fields: { problems: [`path.${name}: expected an id`] },
      });
  return path;
}

function queryOf(url: string): Record<string, string> {
  const entries = [...new URL(url).searchParams];
  const names = new Set(entries.map(([name]) => name));
  if (names.size < entries.length)
    throw serverError("invalid_request", "Cannot take the query: a name stands in it twice", {
      fields: { problems: ["query: a name stands in it twice"] },
    });
  return Object.fromEntries(entries);
}

function checked(schema: z.ZodType, value: unknown, where: "query" | "body"): unknown {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const problems = error.issues.map(({ path, message }) => `${[where, ...path].join(".")}: ${message}`);
  throw serverError("invalid_request", `Cannot take the ${where}: ${problems.join("; ")}`, {
    fields: { problems },
  });
}
