import type { Command } from "../command.ts";
import { usageError } from "../errors.ts";

export const command: Command = {
  examples: [
    { line: "holdfast top", text: "tasks, their questions and output, until q" },
    { line: "holdfast ps --watch", text: "only the list" },
    { line: "holdfast ps --json", text: "for programs" },
  ],
  async run(context) {
    const { environment, isJson } = context;
    const canDraw = environment.stdout.isTerminal && environment.variables["TERM"] !== "dumb";
    if (isJson || !canDraw || !process.stdin.isTTY)
      throw usageError("top", "Cannot show tasks: this is not a terminal; list them with holdfast ps");
    const { runTop } = await import("../top/run-top.ts");
    const runtime = await context.runtime();
    await runTop(runtime, environment);
    await runtime.close();
  },
};
