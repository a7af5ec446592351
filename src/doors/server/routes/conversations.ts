import { serverError } from "../errors.ts";
import { defineRoute, type Route } from "../route.ts";
import { rowAddressOf } from "./row-address.ts";
import { conversationQuery, endQuery, findQuery, rowsQuery, transcriptQuery } from "./session-queries.ts";

/** One conversation, row by row. */
export const conversationRoutes: Route[] = [
  defineRoute("GET /api/sessions/{id}", {
    summary: "A conversation beside its rows: how many there are, compactions, branches, what is not in them",
    query: conversationQuery,
    answer: ({ path, query, world, signal }) =>
      world.runtime.aside.ask("header", { session: path.id, ...query }, { signal }),
  }),
  defineRoute("GET /api/sessions/{id}/rows", {
    summary: "Numbered rows of a conversation",
    query: rowsQuery,
    answer: ({ path, query, world, signal }) =>
      world.runtime.aside.ask(
        "rows",
        { session: path.id, address: rowAddressOf(path.id, query), ...query },
        { signal },
      ),
  }),
  defineRoute("GET /api/sessions/{id}/end", {
    summary: "The last rows, before they are counted",
    query: endQuery,
    answer: ({ path, query, world, signal }) =>
      world.runtime.aside.ask(
        "end",
        { session: path.id, address: rowAddressOf(path.id, query), ...query },
        { signal },
      ),
  }),
  defineRoute("GET /api/sessions/{id}/digest", {
    summary: "Which rows are prompts, failures, compactions and agents",
    query: conversationQuery,
    answer: ({ path, query, world, signal }) =>
      world.runtime.aside.ask("digest", { session: path.id, ...query }, { signal }),
  }),
  defineRoute("GET /api/sessions/{id}/find", {
    summary: "The rows that hold a text, as they are found, and their exact count",
    query: findQuery,
    lines: ({ path, query, world, signal }) =>
      world.runtime.aside.open("find", { session: path.id, ...query }, { signal }),
  }),
  defineRoute("GET /api/sessions/{id}/text/{uuid}/{part}", {
    summary: "The whole of a text that a row has the beginning of",
    query: transcriptQuery,
    async file({ path, query, world, signal }) {
      const asked = { session: path.id, ...query, entry: path.uuid, part: partOf(path.part) };
      const body = await world.runtime.aside.ask("text", asked, { signal });
      return { contentType: "text/plain; charset=utf-8", body };
    },
  }),
  defineRoute("GET /api/sessions/{id}/image/{uuid}/{part}", {
    summary: "An image of a message",
    query: transcriptQuery,
    async file({ path, query, world, signal }) {
      const asked = { session: path.id, ...query, entry: path.uuid, part: partOf(path.part) };
      const { mediaType, bytes } = await world.runtime.aside.ask("image", asked, { signal });
      return { contentType: mediaType, body: bytes };
    },
  }),
  defineRoute("GET /api/sessions/{id}/entry/{uuid}", {
    summary: "An entry as it stands in the transcript",
    query: transcriptQuery,
    async answer({ path, query, world, signal }) {
      const asked = { session: path.id, ...query, entry: path.uuid };
      return { entry: await world.runtime.aside.ask("entry", asked, { signal }) };
    },
  }),
];

function partOf(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw serverError("invalid_request", "Cannot take the path: its last part is no number", {
    fields: { problems: ["path.part: expected a whole number"] },
  });
}
