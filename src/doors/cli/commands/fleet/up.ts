import { defineCommand, type Command } from "../../command.ts";
import { parseDuration } from "../../../../lib/parse-duration.ts";
import { parseCount } from "../../option-values.ts";
import { withProgress } from "../../progress.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast fleet up", text: "prints its URL; it outlives this terminal" },
    { line: "holdfast fleet up --port 4222 --lease 10s", text: "its port, and faster hand-overs" },
  ],
  options: [
    { flags: "--port <n>", text: "where the server listens", parse: parseCount },
    {
      flags: "--lease <time>",
      text: "how long a silent worker keeps its runs (30s); shorter finds a dead one sooner",
      parse: parseDuration,
    },
  ],
  async run(context, { options: { port, lease: leaseMs } }) {
    const { fleet } = await context.runtime();
    const { server, isNew } = await withProgress(
      context,
      "Starting a server (fetching it the first time)",
      fleet.up({ port, leaseMs }),
    );
    const { url, version, keysDir } = server;
    if (context.isJson) return context.writeJson({ url, version, keysDir, pid: server.process.pid, isNew });
    await context.writeLines([url]);
    context.say(
      isNew
        ? `A server of one node (NATS ${version}) runs on this machine. Now start a worker: holdfast fleet worker`
        : "The server is already running.",
    );
  },
});
