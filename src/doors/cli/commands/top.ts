import type { Command } from "../command.ts";
import { usageError } from "../errors.ts";
import { whyNotDrawn } from "../screen/why-not-drawn.ts";

export const command: Command = {
  examples: [
    { line: "holdfast top", text: "tasks, their questions and output, until q" },
    { line: "holdfast ps --watch", text: "only the list" },
    { line: "holdfast ps --json", text: "for programs" },
  ],
  async run(context) {
    const { environment, isJson } = context;
    if (isJson) throw usageError("ps", "Cannot show tasks in JSON: list them with holdfast ps --json");
    const why = whyNotDrawn(environment);
    if (why !== undefined) throw usageError("ps", `Cannot show tasks: ${why}; list them with holdfast ps`);
    const { runTop } = await import("../top/run-top.ts");
    const runtime = await context.runtime();
    await runTop(runtime, environment);
    await runtime.close();
  },
};
