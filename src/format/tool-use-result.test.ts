import { expect, test } from "vitest";
import { parseToolUseResult } from "./tool-use-result.ts";

test.each<[string, unknown]>([
  ["bash", { stdout: "", stderr: "", interrupted: false, isImage: false, backgroundTaskId: "b12345678" }],
  [
    "agent-launched",
    { isAsync: true, status: "async_launched", agentId: "a0123456789abcdef", outputFile: "/tmp/x.output" },
  ],
  [
    "agent-completed",
    { status: "completed", agentId: "a1", content: [], totalDurationMs: 5, totalTokens: 9 },
  ],
  ["agent-completed", { content: [], totalDurationMs: 5, wasInterrupted: false }],
  ["teammate-spawned", { status: "teammate_spawned", teammate_id: "qa@team", agent_id: "qa@team" }],
  ["task-output", { retrieval_status: "not_ready", task: { task_id: "b1", task_type: "local_bash" } }],
  ["task-output", { retrieval_status: "timeout", task: null }],
  ["task-stop", { message: "stopped", task_id: "b1", task_type: "local_bash", command: "sleep 9" }],
  ["todo-write", { oldTodos: [], newTodos: [{ content: "x", status: "pending", activeForm: "y" }] }],
  ["task-create", { task: { id: "1", subject: "x" } }],
  ["task-update", { success: true, taskId: "1", updatedFields: ["status"] }],
  ["task-list", { tasks: [] }],
  ["text", "Error: no such file"],
  ["content", [{ type: "text", text: "x" }]],
  ["other", { shellId: "bash_1", stdout: "", stderr: "", status: "running" }],
  ["other", { status: "async_launched" }],
  ["other", { filePath: "/a", content: "x" }],
  ["other", {}],
  ["other", null],
  ["other", 5],
])("parseToolUseResult() reads a %s result: %j", (kind, value) => {
  const parsed = parseToolUseResult(value);
  expect(parsed).toEqual({ kind, result: value });
  expect(parsed.result).toBe(value);
});
