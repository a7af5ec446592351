import { terminalJson, terminalLine } from "../../../lib/terminal-text.ts";
import type { TaskEvent } from "../../../index.ts";
import { defineCommand, type Command } from "../command.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast events", text: "starts and ends of all tasks, as they happen, until Ctrl+C" },
    { line: "holdfast events --jsonl", text: "one JSON object per line, in the Agent SDK's shapes" },
    { line: "holdfast events --jsonl | jq .task_id", text: "for a pipe" },
  ],
  options: [
    { flags: "--jsonl", text: "one JSON object a line" },
    {
      flags: "--after <cursor>",
      text: "first print what happened since this event; its JSON has the cursor",
    },
  ],
  async run(context, { options }) {
    const { tasks } = await context.runtime();
    const isJson = options.jsonl || context.isJson;
    if (!isJson && context.environment.isWatching)
      context.say("Following all tasks. Ctrl+C stops following.");
    for await (const event of tasks.events({ signal: new AbortController().signal, after: options.after })) {
      const line = isJson ? terminalJson(JSON.stringify(event)) : describe(event);
      if (line === undefined) continue;
      await context.writeLines([line]);
    }
  },
});

function describe(event: TaskEvent): string | undefined {
  switch (event.subtype) {
    case "task_started":
      return lineOf(event.task_id, `Started: ${event.description}`);
    case "task_notification":
      return lineOf(event.task_id, event.summary);
    case "task_updated":
      // Of an end the notification that follows says the same.
      return (
        event.patch.needs_input && lineOf(event.task_id, `Needs input: ${event.patch.needs_input.title}`)
      );
    case "task_progress":
      return undefined;
  }
}

function lineOf(id: string, text: string): string {
  const time = new Date().toTimeString().slice(0, "hh:mm:ss".length);
  return `${time}  ${id}  ${terminalLine(text)}`;
}
