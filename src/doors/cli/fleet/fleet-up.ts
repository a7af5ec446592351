import path from "node:path";
import type { CommandContext } from "../command.ts";
import { withProgress } from "../progress.ts";
import { startEmbeddedServer, stopEmbeddedServer } from "../../../fleet/server/embedded-server.ts";

/** `holdfast fleet up`: a server of one node on this machine. */
export async function fleetUp(
  context: CommandContext,
  { port, lease: leaseMs }: { port?: number; lease?: number },
): Promise<void> {
  const { home, userHome, variables } = context.environment;
  // Where a nats-server is looked for, and where a fetched one is kept.
  const search = {
    named: variables["HOLDFAST_NATS_SERVER"] || undefined,
    searchPath: variables["PATH"],
    cacheDir: path.join(variables["XDG_CACHE_HOME"] || path.join(userHome, ".cache"), "holdfast"),
  };
  const starting = startEmbeddedServer(home, { search, port, leaseMs });
  const { server, isNew } = await withProgress(
    context,
    "Starting a server (the first time it is fetched)",
    starting,
  );
  const { url, version, keysDir } = server;
  if (context.isJson) return context.writeJson({ url, version, keysDir, pid: server.process.pid, isNew });
  await context.writeLines([url]);
  context.say(
    isNew
      ? `A server of one node (NATS ${version}) runs on this machine. Now start a worker: holdfast fleet worker`
      : "The server runs already.",
  );
}

/** `holdfast fleet down`. */
export async function fleetDown(context: CommandContext): Promise<void> {
  const isStopped = await stopEmbeddedServer(context.environment.home);
  if (context.isJson) return context.writeJson({ isStopped });
  context.say(
    isStopped
      ? "The server has ended; what it holds is there again after `fleet up`."
      : "No server of `fleet up` runs here.",
  );
}
