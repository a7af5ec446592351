import { serveDashboard } from "../../src/doors/server/serve-dashboard.ts";
import { openRuntime, type Runtime } from "../../src/runtime/open-runtime.ts";
import type { TestHome } from "./run-holdfast.ts";

// eslint-disable-next-line typescript/no-explicit-any -- raw JSON, looked at without the product's types
type Json = any;

export interface DashboardClient extends AsyncDisposable {
  runtime: Runtime;
  /** The JSON of an answer, with its status. */
  get(path: string): Promise<{ status: number; body: Json }>;
  post(path: string, body?: object): Promise<{ status: number; body: Json }>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** A dashboard on a free port, and a program that may ask it. */
export async function dashboardClient(
  home: TestHome,
  variables: Record<string, string> = {},
): Promise<DashboardClient> {
  const runtime = openRuntime({
    home: home.home,
    configDir: home.configDir,
    env: { ...process.env, ...variables },
  });
  const dashboard = await serveDashboard({ runtime, version: "0", cwd: home.cwd, userName: "anna", port: 0 });
  const token = new URL(dashboard.url).searchParams.get("token")!;
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${dashboard.origin}${path}`, {
      ...init,
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "X-Holdfast": "1",
        ...(init.headers as Record<string, string> | undefined),
      },
    });
  const jsonOf = async (response: Response): Promise<{ status: number; body: unknown }> => ({
    status: response.status,
    body: await response.json(),
  });
  return {
    runtime,
    fetch: ask,
    get: async (path) => jsonOf(await ask(path)),
    post: async (path, body = {}) => jsonOf(await ask(path, { method: "POST", body: JSON.stringify(body) })),
    async [Symbol.asyncDispose]() {
      await dashboard.close();
      await runtime.close();
    },
  };
}
