import { z } from "zod";
import type { RouteContext } from "../route.ts";
import { searchesAtOnce } from "../limits.ts";
import { flag, wholeNumber } from "../query-values.ts";
import { defineRoute, type Route } from "../route.ts";
import { openPlaces } from "../places.ts";

const stream: z.ZodType<"stdout" | "stderr"> = z.enum(["stdout", "stderr"]);
// Each is a thread.
const searches = openPlaces(searchesAtOnce, "too many searches run");

export const taskOutputRoutes: Route[] = [
  defineRoute("GET /api/tasks/{id}/output", {
    summary: "A window of one stream",
    query: z.strictObject({
      stream: stream.exactOptional(),
      from: wholeNumber.exactOptional(),
      end: wholeNumber.exactOptional(),
      bytes: wholeNumber.exactOptional(),
    }),
    async answer({ path: { id }, query: { stream: of = "stdout", ...window }, world: { runtime } }) {
      const task = await runtime.tasks.named(id);
      return { stream: of, ...(await runtime.tasks.window(task, { stream: of, ...window })) };
    },
  }),
  defineRoute("GET /api/tasks/{id}/output/find", {
    summary: "Every match in one stream, a line each as it is found",
    query: z.strictObject({
      q: z.string().min(1).max(1000),
      stream: stream.exactOptional(),
      isRegex: flag.exactOptional(),
      isCaseSensitive: flag.exactOptional(),
      offsetsMax: wholeNumber.exactOptional(),
    }),
    lines: findInOutput,
  }),
  defineRoute("GET /api/tasks/{id}/output/file", {
    summary: "The bytes of one stream, as a file",
    query: z.strictObject({ stream: stream.exactOptional() }),
    async file({ path: { id }, query: { stream: of = "stdout" }, world: { runtime } }) {
      const task = await runtime.tasks.named(id);
      const { bytes } = await runtime.tasks.window(task, { stream: of, bytes: 1 });
      return {
        contentType: "text/plain; charset=utf-8",
        fileName: `${id}.${of}.txt`,
        bytes,
        read: (from, to) => runtime.tasks.bytes(task, { stream: of, from, to }),
      };
    },
  }),
];

async function* findInOutput({
  path: { id },
  query: { stream: of = "stdout", ...query },
  world: { runtime },
  signal,
}: RouteContext<"GET /api/tasks/{id}/output/find">) {
  const leave = searches.enter();
  try {
    const task = await runtime.tasks.named(id);
    yield* runtime.tasks.searchOutput(task, { ...query, stream: of, signal });
  } finally {
    leave();
  }
}
