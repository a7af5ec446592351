import { z } from "zod";
import { hitRoles } from "../../../runtime/views/hit-view.ts";
import type { RecoverableView } from "../../../runtime/views/recovery-view.ts";
import { usageRowKinds } from "../../../runtime/views/usage-view.ts";
import { suggestionView } from "../answers/suggestion-view.ts";
import type { RecoverItemView } from "../api/house-routes.ts";
import { flag, wholeNumber } from "../query-values.ts";
import { defineRoute, type Route } from "../route.ts";

const text = z.string().min(1).max(4096);
const moment = z.iso.datetime({ offset: true }).or(z.iso.date());

/** What is asked of all sessions and tasks together. */
export const findingRoutes: Route[] = [
  defineRoute("GET /api/search", {
    summary: "Messages of every session and tasks that hold some words",
    query: z.strictObject({
      q: z.string().min(1).max(2000),
      cwd: text.exactOptional(),
      since: moment.exactOptional(),
      role: z.enum(hitRoles).exactOptional(),
      tool: text.exactOptional(),
      isRegex: flag.exactOptional(),
      limit: wholeNumber.exactOptional(),
    }),
    answer: ({ query, world, signal }) => world.runtime.aside.ask("search", query, { signal }),
  }),
  defineRoute("GET /api/usage", {
    summary: "Tokens and cost by day, model, project, session, task or agent, each message once",
    query: z.strictObject({
      by: z.enum(usageRowKinds),
      since: moment.exactOptional(),
      until: moment.exactOptional(),
      project: text.exactOptional(),
    }),
    answer: ({ query, world, signal }) => world.runtime.aside.ask("usage", query, { signal }),
  }),
  defineRoute("GET /api/recover", {
    summary: "What has become of background work, with what can be done about it",
    query: z.strictObject({ cwd: text.exactOptional() }),
    async answer({ query, world, signal }) {
      const found = await world.runtime.aside.ask("recover", query, { signal });
      return {
        running: found.running.map(withActions),
        finishedUnseen: found.finishedUnseen.map(withActions),
        lost: found.lost.map(withActions),
        leftToClient: found.leftToClient.map(withActions),
        duplicates: found.duplicates,
      };
    },
  }),
];

function withActions({ suggestions, ...item }: RecoverableView): RecoverItemView {
  return { ...item, actions: suggestions.map(suggestionView) };
}
