import { Hono, type Context } from "hono";
import { checkHost, checkRequest } from "./access/check-request.ts";
import { enter } from "./access/enter.ts";
import { errorResponse } from "./answers/error-response.ts";
import { dispatch } from "./dispatch.ts";
import { serverError } from "./errors.ts";
import { messagePage, messagePageCsp } from "./page/message-page.ts";
import type { PageFiles } from "./page/page-files.ts";
import { secureHeaders } from "./page/secure-headers.ts";
import { routes } from "./route-list.ts";
import type { ServerWorld } from "./server-world.ts";

/** The whole interface: who may ask is checked first, then a route of the contract or a file of the page answers. */
export function openApp(world: ServerWorld, page: PageFiles): Hono {
  const { access } = world;
  const app = new Hono();
  app.onError((error, context) => refusal(error, context));
  app.use(secureHeaders);
  app.use(async (context, next) => {
    checkHost(context, access);
    const entered = enter(context, access);
    if (entered) return withPolicy(entered);
    checkRequest(context, access);
    await next();
  });
  for (const route of routes)
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ":$1"), (context) =>
      dispatch(route, context, world),
    );
  app.get("*", async (context) => {
    const { path, raw } = context.req;
    const file = path.startsWith("/api/") ? undefined : await page.read(path, raw);
    if (file) return file;
    throw serverError("no_route", `Cannot answer ${path}: there is no such route or file`);
  });
  app.notFound(({ req }) =>
    errorResponse(serverError("no_route", `Cannot answer ${req.method} ${req.path}: there is no such route`)),
  );
  return app;
}

// A person who follows an old address gets a page, a program gets JSON.
function refusal(error: Error, { req, html }: Context): Response | Promise<Response> {
  const answer = errorResponse(error);
  const isPerson = !req.path.startsWith("/api/") && (req.header("accept") ?? "").includes("text/html");
  if (!isPerson) return answer;
  return withPolicy(html(messagePage({ title: "Holdfast", lines: [error.message] }), answer.status as 401));
}

function withPolicy(response: Response): Response {
  response.headers.set("Content-Security-Policy", messagePageCsp);
  return response;
}
