import { z } from "zod";
import { restartTask } from "../../../runtime/restart-task.ts";
import { taskRowView, type TaskRowView } from "../../../runtime/views/task-row-view.ts";
import type { Task } from "../../../tasks/record/task.ts";
import { emptyBody } from "../query-values.ts";
import { defineRoute, type Route } from "../route.ts";
import type { ServerWorld } from "../server-world.ts";

const shortText = z.string().max(1000);

export const taskActionRoutes: Route[] = [
  defineRoute("POST /api/tasks/{id}/stop", {
    summary: "Ends a task with everything that it started",
    body: z.strictObject({ force: z.boolean().exactOptional(), reason: shortText.exactOptional() }),
    async answer({ path: { id }, body: { force, reason }, world }) {
      const { tasks } = world.runtime;
      const task = await tasks.named(id);
      await tasks.stop(task, { by: world.by, reason, isForced: force });
      return { task: await rowOf(world, task) };
    },
  }),
  defineRoute("POST /api/tasks/{id}/restart", {
    summary: "Runs the command of a task once more",
    body: emptyBody,
    async answer({ path: { id }, world }) {
      const { tasks } = world.runtime;
      const started = await restartTask(tasks, await tasks.named(id), { by: world.by });
      return { task: await rowOf(world, started) };
    },
  }),
  defineRoute("POST /api/tasks/{id}/send", {
    summary: "Input for a command, or a message to an agent",
    body: z.strictObject({ text: z.string().min(1) }),
    async answer({ path: { id }, body: { text }, world: { runtime } }) {
      await runtime.tasks.send(await runtime.tasks.named(id), text);
      return { done: true };
    },
  }),
  defineRoute("POST /api/tasks/{id}/continue", {
    summary: "An ended agent goes on with its conversation",
    body: z.strictObject({
      prompt: z.string().exactOptional(),
      agent: shortText.exactOptional(),
      model: shortText.exactOptional(),
    }),
    async answer({ path: { id }, body, world }) {
      const { tasks, starting } = world.runtime;
      const started = await starting.continue(await tasks.named(id), body, world);
      return { task: await rowOf(world, started) };
    },
  }),
  defineRoute("POST /api/tasks/{id}/retain", {
    summary: "Keeps a task from being pruned, or lets it be pruned again",
    body: z.strictObject({ isRetained: z.boolean() }),
    async answer({ path: { id }, body, world }) {
      const task = await world.runtime.tasks.named(id);
      await world.runtime.tasks.retain(task, body);
      return { task: await rowOf(world, task) };
    },
  }),
  defineRoute("POST /api/tasks/{id}/seen", {
    summary: "Its ending was seen: nobody else is told",
    body: emptyBody,
    async answer({ path: { id }, world }) {
      const task = await world.runtime.tasks.named(id);
      const { sessionId } = task.record;
      await world.runtime.tasks.told(task, { by: world.by, sessionId });
      return { task: await rowOf(world, task) };
    },
  }),
  defineRoute("POST /api/tasks/{id}/mute", {
    summary: "Nobody is told of its ending",
    body: emptyBody,
    async answer({ path: { id }, world }) {
      const task = await world.runtime.tasks.named(id);
      await world.runtime.tasks.mute(task);
      return { task: await rowOf(world, task) };
    },
  }),
  defineRoute("POST /api/tasks/{id}/remove", {
    summary: "Removes an ended task with its output",
    body: emptyBody,
    async answer({ path: { id }, world: { runtime } }) {
      await runtime.tasks.remove(await runtime.tasks.named(id));
      return { done: true };
    },
  }),
  defineRoute("POST /api/tasks/{id}/teleport", {
    summary: "Ends a run on the fleet and brings its transcript and its folder home",
    body: z.strictObject({
      branch: shortText.exactOptional(),
      worktree: z.string().max(4096).exactOptional(),
    }),
    async answer({ path: { id }, body, world }) {
      const { runtime } = world;
      const home = await runtime.fleet.bringHome(await runtime.tasks.named(id), body);
      return {
        task: await rowOf(world, home.task),
        folder: home.folder ?? null,
        branch: home.branch ?? null,
        missing: [...home.missing],
        isUnfinished: home.isUnfinished,
      };
    },
  }),
];

/** As it is now, for an answer that comes before the thread that watches has seen it. */
export async function rowOf({ runtime }: Pick<ServerWorld, "runtime">, task: Task): Promise<TaskRowView> {
  return taskRowView(await runtime.tasks.row(task));
}
