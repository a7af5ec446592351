import { z } from "zod";
import { suggestionText } from "../../../lib/suggestion-text.ts";
import { emptyBody } from "../query-values.ts";
import { defineRoute, type Route } from "../route.ts";
import { projectQuery } from "./session-queries.ts";
import { rowOf } from "./task-actions.ts";

const line = z.string().min(1).max(1000);
const folder = z.string().min(1).max(4096);
const prompt = z.string().min(1).max(500_000);

/** What is done to sessions. */
export const sessionChangeRoutes: Route[] = [
  defineRoute("POST /api/sessions/{id}/fork", {
    summary: "A new session with the conversation up to a message",
    query: projectQuery,
    body: z.strictObject({ at: line.exactOptional(), title: line.exactOptional() }),
    async answer({ path, query, body, world }) {
      const forked = await world.runtime.aside.ask("fork", { session: path.id, ...query, ...body });
      const args = ["--resume", forked.session.sessionId];
      return { ...forked, command: suggestionText({ program: "claude", args }) };
    },
  }),
  defineRoute("POST /api/sessions/{id}/rename", {
    summary: "Gives a session a title",
    query: projectQuery,
    body: z.strictObject({ title: line }),
    async answer({ path, query, body, world }) {
      return { session: await world.runtime.aside.ask("rename", { session: path.id, ...query, ...body }) };
    },
  }),
  defineRoute("POST /api/sessions/{id}/tag", {
    summary: "Gives a session a tag, or takes it away",
    query: projectQuery,
    body: z.strictObject({ tag: line.nullable() }),
    async answer({ path, query, body, world }) {
      return { session: await world.runtime.aside.ask("tag", { session: path.id, ...query, ...body }) };
    },
  }),
  defineRoute("POST /api/sessions/{id}/move", {
    summary: "Files a session under the project of another folder",
    query: projectQuery,
    body: z.strictObject({ cwd: folder }),
    async answer({ path, query, body, world }) {
      return { session: await world.runtime.aside.ask("move", { session: path.id, ...query, ...body }) };
    },
  }),
  defineRoute("POST /api/sessions/{id}/trash", {
    summary: "Moves a session to the trash",
    query: projectQuery,
    body: emptyBody,
    async answer({ path, query, world }) {
      const trashed = await world.runtime.aside.ask("trash", { session: path.id, ...query });
      world.streams.tellStale("trash");
      return { trashed };
    },
  }),
  defineRoute("POST /api/sessions/{id}/archive", {
    summary: "Packs a session into the archive",
    query: projectQuery,
    body: emptyBody,
    async answer({ path, query, world }) {
      return { session: await world.runtime.aside.ask("archive", { session: path.id, ...query }) };
    },
  }),
  defineRoute("POST /api/sessions/{id}/restore", {
    summary: "Puts a session back from the trash or the archive",
    body: z.strictObject({ from: z.enum(["trash", "archive"]) }),
    async answer({ path, body, world }) {
      const session = await world.runtime.aside.ask("restore", { session: path.id, ...body });
      world.streams.tellStale(body.from === "trash" ? "trash" : "sessions");
      return { session };
    },
  }),
  defineRoute("POST /api/sessions/{id}/undo", {
    summary: "Puts files back to what they were before a prompt, or says what that would do",
    query: projectQuery,
    body: z.strictObject({ to: line.exactOptional(), dryRun: z.boolean() }),
    answer: ({ path, query, body, world }) =>
      world.runtime.aside.ask("undo", { session: path.id, ...query, ...body }),
  }),
  defineRoute("POST /api/sessions/{id}/ask", {
    summary: "Asks something in the background from where the session is",
    query: projectQuery,
    body: z.strictObject({ prompt, agent: line.exactOptional(), model: line.exactOptional() }),
    async answer({ path, query, body, world }) {
      const { runtime } = world;
      const from = await runtime.sessions.named(path.id, query);
      const { cwd } = await runtime.aside.ask("session", { session: path.id, ...query });
      const task = await runtime.starting.agent({ ...body, from, cwd: cwd ?? world.cwd });
      return { task: await rowOf(world, task) };
    },
  }),
];
