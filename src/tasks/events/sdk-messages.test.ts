import type { UUID } from "node:crypto";
import { expect, test } from "vitest";
import type { TaskEvent } from "./task-event.ts";

// The task messages of the Agent SDK (0.3.325), as far as a program relies on them, written down from its documentation:
// the package itself brings a whole client. The compiler is the test: a harness hands ours to the same function.

interface SdkMessage {
  type: "system";
  task_id: string;
  uuid: UUID;
  session_id: string;
}

interface SdkUsage {
  total_tokens: number;
  tool_uses: number;
  duration_ms: number;
}

type SdkTaskMessage =
  | (SdkMessage & {
      subtype: "task_started";
      tool_use_id?: string;
      description: string;
      subagent_type?: string;
      is_backgrounded?: boolean;
      spawn_depth?: number;
      parent_task_id?: string;
      task_type?: string;
      prompt?: string;
    })
  | (SdkMessage & {
      subtype: "task_progress";
      tool_use_id?: string;
      description: string;
      subagent_type?: string;
      usage: SdkUsage;
      last_tool_name?: string;
      summary?: string;
    })
  | (SdkMessage & {
      subtype: "task_updated";
      patch: {
        status?: "pending" | "running" | "completed" | "failed" | "killed" | "paused";
        description?: string;
        end_time?: number;
        error?: string;
        is_backgrounded?: boolean;
      };
    })
  | (SdkMessage & {
      subtype: "task_notification";
      tool_use_id?: string;
      status: "completed" | "failed" | "stopped";
      output_file: string;
      summary: string;
      usage?: SdkUsage;
    });

test("every event is a task message of the Agent SDK", () => {
  const handle = (message: SdkTaskMessage): string => message.subtype;
  const event: TaskEvent = {
    type: "system",
    subtype: "task_notification",
    task_id: "b1",
    uuid: "00000000-0000-8000-a000-000000000000",
    session_id: "",
    cursor: "1.1..",
    status: "completed",
    output_file: "x",
    summary: "x",
  };
  expect([event].map(handle)).toEqual(["task_notification"]);
});
