import type { CommandContext } from "../command.ts";
import { writeJsonObject } from "../json-output.ts";
import { withProgress } from "../progress.ts";
import { startEmbeddedServer, stopEmbeddedServer } from "./embedded-server.ts";
import { serverSearch } from "./server-search.ts";

/** `holdfast fleet up`: a server of one node on this machine. */
export async function fleetUp(
  context: CommandContext,
  { port, leaseMs, isJson }: { port?: number | undefined; leaseMs?: number | undefined; isJson: boolean },
): Promise<void> {
  const { environment, output } = context;
  const search = serverSearch(environment);
  const starting = startEmbeddedServer(environment.home, { search, port, leaseMs });
  const { server, isNew } = await withProgress(
    context,
    "Starting a server (the first time it is fetched)",
    starting,
  );
  const { url, version, keysDir } = server;
  if (isJson) return writeJsonObject(output, { url, version, keysDir, pid: server.process.pid, isNew });
  await context.writeLines([url]);
  context.say(
    isNew
      ? `A server of one node (NATS ${version}) runs on this machine. Now start a worker: holdfast fleet worker`
      : "The server runs already.",
  );
}

/** `holdfast fleet down`. */
export async function fleetDown(context: CommandContext, { isJson }: { isJson: boolean }): Promise<void> {
  const isStopped = await stopEmbeddedServer(context.environment.home);
  if (isJson) return writeJsonObject(context.output, { isStopped });
  context.say(
    isStopped
      ? "The server has ended; what it holds is there again after `fleet up`."
      : "No server of `fleet up` runs here.",
  );
}
