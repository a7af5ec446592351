import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { realPath } from "../../../lib/real-path.ts";
import { startWork } from "../../../runtime/starting/start-work.ts";
import { emptyBody } from "../query-values.ts";
import { defineRoute, type Route } from "../route.ts";
import { rowOf } from "./task-actions.ts";

const cwd = z.string().min(1).max(4096);
const short = z.string().max(1000);
const count = z.int().positive();

const command = z.strictObject({
  kind: z.literal("command"),
  command: z.string(),
  cwd,
  name: short.exactOptional(),
  description: z.string().max(10_000).exactOptional(),
  worktree: z.boolean().exactOptional(),
  timeoutMs: count.exactOptional(),
  tty: z.boolean().exactOptional(),
  stdin: z.boolean().exactOptional(),
  queue: z.boolean().exactOptional(),
});

const agent = z.strictObject({
  kind: z.literal("agent"),
  prompt: z.string().min(1),
  cwd,
  agent: short.exactOptional(),
  model: short.exactOptional(),
  type: short.exactOptional(),
  permission: z.enum(["allow", "deny", "ask", "rules"]).exactOptional(),
  limits: z
    .strictObject({
      maxTurns: count.exactOptional(),
      maxTokens: count.exactOptional(),
      maxCostUsd: z.number().positive().exactOptional(),
    })
    .exactOptional(),
  name: short.exactOptional(),
  where: z.enum(["here", "worktree", "fleet"]).exactOptional(),
  label: short.exactOptional(),
  from: short.exactOptional(),
  queue: z.boolean().exactOptional(),
});

export const startingRoutes: Route[] = [
  defineRoute("POST /api/start", {
    summary: "Starts a command or an agent: here, in a worktree, or on the fleet",
    body: z.discriminatedUnion("kind", [command, agent]),
    async answer({ body, world }) {
      const place = folderOf(body.cwd, world.cwd);
      return { task: await rowOf(world, await startWork(world.runtime, { ...body, cwd: place })) };
    },
  }),
  defineRoute("GET /api/start", {
    summary: "What there is to choose from in a folder",
    query: z.strictObject({ cwd: cwd.exactOptional() }),
    async answer({ query, world: { runtime, live, cwd: ownCwd } }) {
      const place = folderOf(query.cwd ?? ownCwd, ownCwd);
      return runtime.starting.choices({ cwd: place, rows: await live.all() });
    },
  }),
  defineRoute("POST /api/demo", {
    summary: "Starts tasks that show the dashboard live",
    body: emptyBody,
    async answer({ world }) {
      const started = await world.runtime.starting.demo();
      return { tasks: await Promise.all(started.map((task) => rowOf(world, task))) };
    },
  }),
];

/** A folder as it is typed: `~` is the user's own, a relative one is below the server's. */
function folderOf(typed: string, ownCwd: string): string {
  const whole = typed.replace(/^~(?=\/|$)/, os.homedir());
  return realPath(path.resolve(ownCwd, whole));
}
