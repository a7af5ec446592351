import { terminalJson, terminalLine } from "../../lib/terminal-text.ts";
import type { TaskEvent } from "../../tasks/task-events.ts";
import type { Command } from "../command.ts";

interface EventsOptions {
  jsonl?: boolean;
}

export const events: Command<EventsOptions> = {
  arguments: [],
  examples: [
    { line: "holdfast events", text: "starts and ends of all tasks, as they happen, until Ctrl+C" },
    { line: "holdfast events --jsonl", text: "one JSON object a line, in the Agent SDK's shapes" },
    { line: "holdfast events --jsonl | jq .task_id", text: "for a pipe" },
  ],
  options: [{ flags: "--jsonl", text: "one JSON object a line" }],
  async run(context, { options }) {
    const tasks = await context.openTasks();
    for await (const event of tasks.events({ signal: new AbortController().signal })) {
      const line =
        options.jsonl || options.json ? terminalJson(JSON.stringify(event)) : terminalLine(describe(event));
      if (line !== "") await context.output.write(`${line}\n`);
      await context.output.flush();
    }
  },
};

function describe(event: TaskEvent): string {
  switch (event.subtype) {
    case "task_started":
      return `${event.task_id}  started: ${event.description}`;
    case "task_updated":
      return "";
    case "task_notification":
      return `${event.task_id}  ${event.summary}`;
  }
}
