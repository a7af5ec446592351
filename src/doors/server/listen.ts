import { createAdaptorServer } from "@hono/node-server";
import http from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Hono } from "hono";
import { errorResponse } from "./answers/error-response.ts";
import { serverError } from "./errors.ts";
import {
  closeMsMax,
  connectionsMax,
  connectionsTakenMax,
  headersMsMax,
  keepAliveMs,
  requestMsMax,
} from "./limits.ts";

export interface Tls {
  cert: string | Buffer;
  key: string | Buffer;
}

export interface Listening {
  port: number;
  /** Takes no more requests; those that are answered may end for a moment. */
  close(): Promise<void>;
}

export interface ListenOptions {
  host: string;
  port: number;
  tls: Tls | undefined;
  /** How long a request may take to arrive. */
  patience?: { headersMs: number; requestMs: number };
}

const usualPatience = { headersMs: headersMsMax, requestMs: requestMsMax };

/** Listens on one address. `open` makes the app when the port is known. */
export async function listen(
  open: (port: number) => Pick<Hono, "fetch">,
  { host, port, tls, patience = usualPatience }: ListenOptions,
): Promise<Listening> {
  const sockets = new Set<Socket>();
  let app: Pick<Hono, "fetch"> | undefined;
  const limits = {
    requestTimeout: patience.requestMs,
    headersTimeout: patience.headersMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, patience.headersMs),
  };
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    fetch: (request) => {
      if (sockets.size <= connectionsMax && app) return app.fetch(request);
      const refused = errorResponse(
        serverError("too_many", "Cannot answer: too many connections; close some and try again"),
      );
      refused.headers.set("Connection", "close");
      return refused;
    },
    ...(tls
      ? { createServer: https.createServer, serverOptions: { ...limits, ...tls } }
      : { createServer: http.createServer, serverOptions: limits }),
  }) as http.Server;
  server.maxConnections = connectionsTakenMax;
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => resolve());
  });
  server.on("error", () => {
    /* One connection less; the others are served. */
  });
  const { port: taken } = server.address() as AddressInfo;
  app = open(taken);
  return { port: taken, close: () => close(server) };
}

async function close(server: http.Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeMsMax);
  await closed;
  clearTimeout(timer);
}
