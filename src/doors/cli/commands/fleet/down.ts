import type { Command } from "../../command.ts";

export const command: Command = {
  examples: [{ line: "holdfast fleet down", text: "the server that fleet up started here" }],
  async run(context) {
    const { fleet } = await context.runtime();
    const isStopped = await fleet.down();
    if (context.isJson) return context.writeJson({ isStopped });
    context.say(
      isStopped
        ? "The server has stopped; its data is there again after `fleet up`."
        : "No server of `fleet up` is running here.",
    );
  },
};
