// The runner of 06-own-runner.ts. Its default export makes a runner of the options that the agent was started with.
import { setTimeout } from "node:timers/promises";
import type { Runner } from "../src/index.ts";

/** Counts, one message a number, and waits behind each for `pauseMs`. */
export default function countingRunner({ to = 0, pauseMs = 0 }: { to?: number; pauseMs?: number }): Runner {
  return async function* ({ messages }, signal) {
    // The conversation says how far an earlier process came: what is recorded is not done again.
    const counted = messages.filter(({ role }) => role === "assistant").length;
    for (let number = counted + 1; number <= to; number++) {
      yield {
        kind: "assistant",
        message: {
          id: `msg_${number}`,
          model: "counter",
          role: "assistant",
          type: "message",
          content: [{ type: "text", text: String(number) }],
          stop_reason: number === to ? "end_turn" : null,
          usage: { input_tokens: 0, output_tokens: 1 },
        },
      };
      await setTimeout(pauseMs, undefined, { signal });
    }
    return { reason: "done" };
  };
}
