import { Hono } from "hono";
import { dispatch } from "./dispatch.ts";
import { errorResponse } from "./error-response.ts";
import { serverError } from "./errors.ts";
import { routes } from "./route-list.ts";
import type { ServerWorld } from "./server-world.ts";

/** The whole interface: every route of the contract that has a handler. */
export function openApp(world: ServerWorld): Hono {
  const app = new Hono();
  app.onError(errorResponse);
  for (const route of routes)
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ":$1"), (context) =>
      dispatch(route, context, world),
    );
  app.notFound(({ req }) =>
    errorResponse(serverError("no_route", `Cannot answer ${req.method} ${req.path}: there is no such route`)),
  );
  return app;
}
