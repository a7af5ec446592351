import { z } from "zod";
import { suggestionText } from "../../../lib/suggestion-text.ts";
import { isEnded } from "../../../runtime/index.ts";
import { readTaskCard } from "../../../runtime/task-card.ts";
import { filterRows } from "../../../runtime/views/task-filter.ts";
import { taskRowView } from "../../../runtime/views/task-row-view.ts";
import type { Task } from "../../../tasks/record/task.ts";
import type { TaskCard } from "../api/task-routes.ts";
import { listedAtOnce, listedAtOnceMax } from "../limits.ts";
import { pageQuery } from "../query-values.ts";
import { defineRoute, type Route } from "../route.ts";

export const taskRoutes: Route[] = [
  defineRoute("GET /api/tasks", {
    summary: "Tasks, newest first",
    query: z.strictObject({
      ...pageQuery,
      status: z.string().max(200).exactOptional(),
      project: z.string().max(4096).exactOptional(),
      kind: z.enum(["local_bash", "local_agent", "remote_agent"]).exactOptional(),
      session: z.string().max(200).exactOptional(),
      q: z.string().max(500).exactOptional(),
    }),
    async answer({ query: { from = 0, limit = listedAtOnce, ...filter }, world }) {
      const found = filterRows(await world.live.all(), filter);
      const page = found.slice(from, from + Math.min(limit, listedAtOnceMax));
      return { tasks: page.map(taskRowView), from, total: found.length };
    },
  }),
  defineRoute("GET /api/tasks/{id}", {
    summary: "Everything that is known about a task",
    async answer({ path: { id }, world: { runtime, live } }) {
      const task = await runtime.tasks.named(id);
      const card = await readTaskCard(runtime, task, await live.all());
      return { ...card, commands: commandsFor(task) };
    },
  }),
  defineRoute("GET /api/tasks/{id}/processes", {
    summary: "The processes of a task that runs",
    async answer({ path: { id }, world: { runtime } }) {
      const processes = await runtime.tasks.processes(await runtime.tasks.named(id));
      return { processes: processes ?? null };
    },
  }),
];

/** The command line for each action that makes sense now. */
function commandsFor({ record, state }: Task): TaskCard["commands"] {
  const { id, agent, shell } = record;
  const line = (verb: string): string => suggestionText({ verb, args: [id] });
  if (isEnded(state))
    return {
      output: line("output"),
      ...(agent ? { resume: line("resume") } : { logs: line("logs"), restart: line("restart") }),
    };
  return {
    stop: line("stop"),
    output: line("output"),
    ...(shell.tty && { attach: line("attach") }),
    ...(!agent && { logs: `${line("logs")} --follow`, restart: line("restart") }),
  };
}
