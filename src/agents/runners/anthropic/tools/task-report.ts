import { isJsonObject } from "../../../../format/json-object.ts";
import type { ContentPart } from "../../../../tasks/ports.ts";

/** What is known of a task, whichever kind it is, read from what `AgentTasks.output` gives. */
export interface TaskReport {
  taskId: string;
  kind: "local_bash" | "local_agent";
  retrievalStatus: string;
  status: string;
  /** What it printed, or what it answered. */
  text: string;
  exitCode?: number;
  error?: string;
  /** Of an agent. */
  answer?: {
    content: ContentPart[];
    totalDurationMs: number;
    totalTokens: number;
    totalToolUseCount: number;
    usage: unknown;
  };
}

export function readReport(taskId: string, output: object): TaskReport {
  const fields = output as Record<string, unknown>;
  const base = {
    taskId,
    retrievalStatus: textOf(fields["retrieval_status"]),
    status: textOf(fields["status"]),
    ...(typeof fields["error"] === "string" && { error: fields["error"] }),
  };
  if (!Array.isArray(fields["content"])) {
    const printed = [fields["stdout"], fields["stderr"]].map((text) => textOf(text).trimEnd());
    return {
      ...base,
      kind: "local_bash",
      text: printed.filter((text) => text !== "").join("\n"),
      ...(typeof fields["exitCode"] === "number" && { exitCode: fields["exitCode"] }),
    };
  }
  const content = fields["content"].filter(isJsonObject) as ContentPart[];
  return {
    ...base,
    kind: "local_agent",
    text: content.map((part) => textOf(part["text"])).join("\n"),
    answer: {
      content,
      totalDurationMs: Number(fields["totalDurationMs"] ?? 0),
      totalTokens: Number(fields["totalTokens"] ?? 0),
      totalToolUseCount: Number(fields["totalToolUseCount"] ?? 0),
      usage: fields["usage"],
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
