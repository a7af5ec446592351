import { openApiDocument } from "../openapi-document.ts";
import { defineRoute, type Route } from "../route.ts";

/** Of every route, itself included. */
export function openApiRoute(all: () => readonly Route[]): Route {
  return defineRoute("GET /api/openapi.json", {
    summary: "This interface, as OpenAPI",
    answer: async ({ world: { version } }) => openApiDocument(all(), version),
  });
}
