import { emptyBody } from "../query-values.ts";
import { defineRoute, type Route } from "../route.ts";

export const enteringRoutes: Route[] = [
  defineRoute("POST /api/enter", {
    summary: "A code for one address that is opened at once, as ?token=CODE",
    body: emptyBody,
    async answer({ world: { access } }) {
      return { code: access.tokens.giveCode() };
    },
  }),
  defineRoute("POST /api/leave", {
    summary: "Ends the session of this browser",
    body: emptyBody,
    async answer({ world: { access }, cookie }) {
      if (cookie !== undefined) access.browsers.forget(cookie);
      return { done: true };
    },
  }),
];
