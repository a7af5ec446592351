import { randomUUID } from "node:crypto";
import { codeOf, HoldfastError } from "../../lib/errors.ts";
import type { Runtime } from "../../runtime/index.ts";
import { announceServer } from "./access/announced-servers.ts";
import { openBrowsers } from "./access/browsers.ts";
import { newToken, openTokens } from "./access/tokens.ts";
import { OpenStreams } from "./events/open-streams.ts";
import { usualPort } from "./limits.ts";
import { listen, type Listening, type Tls } from "./listen.ts";
import { openApp } from "./open-app.ts";
import { pageDir } from "./page/page-dir.ts";
import { openPageFiles } from "./page/page-files.ts";

export interface DashboardOptions {
  runtime: Runtime;
  version: string;
  cwd: string;
  userName: string;
  /** Without one the usual port, or any other when that is in use. 0 is any. */
  port?: number | undefined;
  /** Beyond this machine: its address, its name for browsers, a certificate and a token of the user's. */
  open?: { host: string; name: string; tls: Tls; token: string } | undefined;
}

export interface Dashboard {
  origin: string;
  /** Lets in whoever opens it. */
  url: string;
  /** The same for one browser that is started now, once: its command line can be read by others. */
  urlOnce(): string;
  close(): Promise<void>;
}

/** Serves the dashboard and its interface until it is closed. */
export async function serveDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { runtime, version, cwd, userName, open } = options;
  const { home } = runtime;
  const token = open?.token ?? newToken();
  const tokens = openTokens(token);
  const ending = new AbortController();
  const live = await runtime.tasks.live();
  const streams = new OpenStreams();
  let origin = "";
  const openOn = (port: number) => {
    const host = `${open?.name ?? "127.0.0.1"}:${port}`;
    origin = `${open ? "https" : "http"}://${host}`;
    const access = { origin, host, tokens, browsers: openBrowsers(home, { port }) };
    const world = {
      runtime,
      version,
      cwd,
      userName,
      by: `dashboard:${userName}`,
      instance: randomUUID(),
      live,
      streams,
      ending: ending.signal,
      access,
    };
    return openApp(world, openPageFiles(pageDir()));
  };
  const place = { host: open?.host ?? "127.0.0.1", tls: open?.tls };
  const listening = await listenOnUsual(openOn, { ...place, port: options.port }).catch(
    async (error: unknown) => {
      await live.close();
      throw error;
    },
  );
  const withdraw = announceServer(home, { origin, token });
  return {
    origin,
    url: `${origin}/?token=${token}`,
    urlOnce: () => `${origin}/?token=${tokens.giveCode()}`,
    async close() {
      withdraw();
      ending.abort();
      await listening.close();
      await live.close();
    },
  };
}

async function listenOnUsual(
  openOn: Parameters<typeof listen>[0],
  { port, ...place }: { port: number | undefined; host: string; tls: Tls | undefined },
): Promise<Listening> {
  try {
    return await listen(openOn, { ...place, port: port ?? usualPort });
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error;
    if (port === undefined) return listen(openOn, { ...place, port: 0 });
    const message = `Cannot serve on port ${port}: another program uses it; name another one with --port`;
    throw new HoldfastError(message, { code: "conflict", cause: error, fields: { port } });
  }
}
