import { serveDashboard, type Dashboard } from "../../src/doors/server/index.ts";
import type { Api, ServerEvents } from "../../src/doors/server/api/index.ts";
import { openRuntime, type Runtime } from "../../src/runtime/open-runtime.ts";
import { testHome, type TestHome } from "./run-holdfast.ts";
import { basicEnv } from "./task-world.ts";

type AnswerOf<Name extends keyof Api> = Api[Name] extends { answer: infer Answer } ? Answer : never;

/** A dashboard on a home of its own. Disposing of it stops what still runs. */
export interface DashboardWorld extends AsyncDisposable {
  readonly home: TestHome;
  readonly runtime: Runtime;
  readonly dashboard: Dashboard;
  /** A program's request: with the token, and for a write with what a write needs. */
  request(
    route: string,
    init?: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
  /** The same, for its answer: the path is that of the route with its parameters filled in. */
  ask<Name extends keyof Api>(
    name: Name,
    asked?: { path?: Record<string, string>; query?: Record<string, string | number>; body?: unknown },
  ): Promise<AnswerOf<Name>>;
  /** The events of a new stream, until the signal. */
  events(options: { after?: string; signal: AbortSignal }): AsyncGenerator<HeardEvent>;
}

export type HeardEvent = {
  [Name in keyof ServerEvents]: { name: Name; data: ServerEvents[Name]; id: string | undefined };
}[keyof ServerEvents];

export async function dashboardWorld({
  home = testHome(),
  env = {},
}: { home?: TestHome; env?: Record<string, string> } = {}): Promise<DashboardWorld> {
  const runtime = openRuntime({
    home: home.home,
    configDir: home.configDir,
    env: { ...basicEnv, HOME: home.userHome, ...env },
  });
  const dashboard = await serveDashboard({
    runtime,
    version: "1.2.3",
    cwd: home.cwd,
    userName: "anna",
    port: 0,
  });
  const token = new URL(dashboard.url).searchParams.get("token")!;
  const request: DashboardWorld["request"] = (route, { body, headers, signal } = {}) =>
    fetch(`${dashboard.origin}${route}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { "Content-Type": "application/json", "X-Holdfast": "1" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  return {
    home,
    runtime,
    dashboard,
    request,
    async ask(name, { path = {}, query = {}, body } = {}) {
      const [method, form] = name.split(" ") as [string, string];
      const filled = form.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(path[key]!));
      const text = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
      );
      const response = await request(
        `${filled}?${text.toString()}`,
        method === "POST" ? { body: body ?? {} } : {},
      );
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(answer)}`);
      return answer as never;
    },
    async *events({ after, signal }) {
      const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`;
      const response = await request(`/api/events${query}`, { signal });
      yield* eventsOf(response.body!, signal);
    },
    async [Symbol.asyncDispose]() {
      const running = await runtime.tasks.list();
      await Promise.all(running.map((task) => runtime.tasks.stop(task, { by: "test", graceMs: 100 })));
      await dashboard.close();
      await runtime.close();
    },
  };
}

/** Server-sent events as they come; comments are left out. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<HeardEvent> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of body) {
      text += decoder.decode(piece, { stream: true });
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const fields = new Map(
          text
            .slice(0, end)
            .split("\n")
            .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
        );
        text = text.slice(end + 2);
        const name = fields.get("event");
        if (name !== undefined)
          yield { name, data: JSON.parse(fields.get("data")!), id: fields.get("id") } as HeardEvent;
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
