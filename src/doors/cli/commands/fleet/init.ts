import { defineCommand, type Command } from "../../command.ts";
import { parseDuration } from "../../../../lib/parse-duration.ts";
import { parseCount } from "../../option-values.ts";
import { withProgress } from "../../progress.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast fleet init --replicas 3", text: "once, and again after an upgrade of Holdfast" },
    { line: "holdfast fleet init --label gpu", text: "with a queue for workers that have this label" },
  ],
  options: [
    { flags: "--replicas <n>", text: "copies of everything, 3 on a cluster of three", parse: parseCount },
    {
      flags: "--shards <n>",
      text: "streams for the logs; one carries about 500 sessions at once",
      parse: parseCount,
    },
    { flags: "--label <label>", text: "make a queue for this label; may be repeated", isRepeatable: true },
    {
      flags: "--lease <time>",
      text: "how long a silent worker keeps its runs (30s); shorter finds a dead one sooner",
      parse: parseDuration,
    },
  ],
  async run(context, { options: { replicas, shards, label: labels, lease: leaseMs } }) {
    const { fleet } = await context.runtime();
    const findings = await withProgress(
      context,
      "Making streams",
      fleet.init({ replicas, shards, labels, leaseMs }),
    );
    if (context.isJson) return context.writeJson({ findings });
    for (const { name, state, settings } of findings) {
      const what = settings.length > 0 ? ` (${settings.join(", ")})` : "";
      await context.output.write(`${state.padEnd(8)} ${name}${what}\n`);
    }
  },
});
