import { messageOf } from "../../../../lib/errors.ts";
import { terminalLine } from "../../../../lib/terminal-text.ts";
import type { WorkerEvent } from "../../../../fleet/runs/worker.ts";
import { defineCommand, type Command } from "../../command.ts";
import { endGently } from "../../end-gently.ts";
import { parseCount } from "../../option-values.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast fleet worker --slots 4", text: "until you stop it; then it gives its runs back" },
    { line: "holdfast fleet worker --label gpu", text: "only runs of holdfast agent --remote --label gpu" },
  ],
  options: [
    { flags: "--slots <n>", text: "how many agents at once (2)", parse: parseCount },
    { flags: "--label <label>", text: "take only runs for this label; may be repeated", isRepeatable: true },
  ],
  async run(context, { options: { slots = 2, label: labels = [] } }) {
    const { fleet } = await context.runtime();
    // The second signal ends it at once: then the leases run out, and others go on.
    const signal = endGently();
    const tell = async (event: WorkerEvent): Promise<void> => {
      const line = context.isJson
        ? JSON.stringify({ ...event, at: new Date().toISOString() })
        : terminalLine(textOf(event, slots));
      await context.writeLines([line]);
    };
    await fleet.work({ slots, labels, signal, onEvent: (event) => void tell(event) });
  },
});

function textOf(event: WorkerEvent, slots: number): string {
  switch (event.kind) {
    case "ready":
      return `Worker ${event.workerId} waits for runs (${slots} at once). Ctrl+C gives its runs back and ends it.`;
    case "started":
      return `${event.sessionId} started${event.deliveries > 1 ? `, taken over (delivery ${event.deliveries})` : ""}`;
    case "ended":
      return `${event.sessionId} ${event.status}`;
    case "given-back":
      return `${event.sessionId} given back`;
    case "passed-over":
      return `${event.sessionId} passed over: it was dispatched twice, and the other one counts`;
    case "fenced":
      return `${event.sessionId} is another worker's by now; stopped here`;
    case "failed":
      return `${event.sessionId} dropped: ${messageOf(event.error)}`;
  }
}
