import { defineRoute, type Route } from "../route.ts";
import { diffQuery, exportQuery, projectQuery, sessionQuery, transcriptQuery } from "./session-queries.ts";

/** Lists of sessions, and what belongs to one. */
export const sessionRoutes: Route[] = [
  defineRoute("GET /api/sessions", {
    summary: "Sessions, the latest activity first",
    query: sessionQuery,
    answer: ({ query, world, signal }) => world.runtime.aside.ask("sessions", query, { signal }),
  }),
  defineRoute("GET /api/projects", {
    summary: "Projects, the latest activity first",
    async answer({ world, signal }) {
      return { projects: await world.runtime.aside.ask("projects", {}, { signal }) };
    },
  }),
  defineRoute("GET /api/trash", {
    summary: "What is in the trash, newest first",
    async answer({ world, signal }) {
      return { trash: await world.runtime.aside.ask("trashed", {}, { signal }) };
    },
  }),
  defineRoute("GET /api/sessions/{id}/agents", {
    summary: "The sub-agents of a session",
    query: projectQuery,
    async answer({ path, query, world, signal }) {
      return { agents: await world.runtime.aside.ask("agents", { session: path.id, ...query }, { signal }) };
    },
  }),
  defineRoute("GET /api/sessions/{id}/todos", {
    summary: "The to-do lists of a session",
    query: projectQuery,
    answer: ({ path, query, world, signal }) =>
      world.runtime.aside.ask("todos", { session: path.id, ...query }, { signal }),
  }),
  defineRoute("GET /api/sessions/{id}/files", {
    summary: "The files that a session changed, prompt by prompt",
    query: projectQuery,
    answer: ({ path, query, world, signal }) =>
      world.runtime.aside.ask("files", { session: path.id, ...query }, { signal }),
  }),
  defineRoute("GET /api/sessions/{id}/diff", {
    summary: "What changed in the files of a session, since its beginning or between two prompts",
    query: diffQuery,
    answer: ({ path, query, world, signal }) =>
      world.runtime.aside.ask("diff", { session: path.id, ...query }, { signal }),
  }),
  defineRoute("GET /api/sessions/{id}/usage", {
    summary: "What a session with its sub-agents used, or one of these",
    query: transcriptQuery,
    answer: ({ path, query, world, signal }) =>
      world.runtime.aside.ask("cost", { session: path.id, ...query }, { signal }),
  }),
  defineRoute("GET /api/sessions/{id}/export", {
    summary: "The conversation as a file, with secrets redacted",
    query: exportQuery,
    async file({ path, query, world, signal }) {
      const { format = "md" } = query;
      const asked = { session: path.id, ...query, format };
      // Asked first, so that a session that is not there is a 404 and no broken file.
      await world.runtime.aside.ask("session", asked, { signal });
      return {
        contentType: exportedAs[format],
        fileName: `session-${path.id}.${format}`,
        body: world.runtime.aside.open("export", asked, { signal }),
      };
    },
  }),
];

const exportedAs = {
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
};
