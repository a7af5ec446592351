import { expect, test } from "vitest";
import { taskDescriptionLengthMax } from "./limits.ts";
import { agentTaskSummary, shellTaskSummary } from "./task-summary.ts";

test("shellTaskSummary() uses the client's words for each outcome", () => {
  expect([
    shellTaskSummary("Two lines", { status: "completed", exitCode: 0 }),
    shellTaskSummary("Run tests", { status: "failed", exitCode: 13 }),
    shellTaskSummary("Serve", { status: "killed" }),
  ]).toEqual([
    'Background command "Two lines" completed (exit code 0)',
    'Background command "Run tests" failed with exit code 13',
    'Background command "Serve" was stopped',
  ]);
});

test("agentTaskSummary() uses the client's words for each outcome", () => {
  expect([
    agentTaskSummary("Review", { status: "completed" }),
    agentTaskSummary("Review", { status: "failed", reason: "no\nmodel" }),
    agentTaskSummary("Review", { status: "killed" }),
  ]).toEqual(['Agent "Review" completed', 'Agent "Review" failed: no model', 'Agent "Review" was stopped']);
});

test("shellTaskSummary() keeps a description inside its quotes, on one line and short", () => {
  expect(shellTaskSummary('x" completed (exit code 0)\n"', { status: "failed", exitCode: 1 })).toBe(
    "Background command \"x' completed (exit code 0) '\" failed with exit code 1",
  );
  expect(shellTaskSummary("y".repeat(taskDescriptionLengthMax + 1), { status: "killed" })).toBe(
    `Background command "${"y".repeat(taskDescriptionLengthMax)}… [1 characters cut]" was stopped`,
  );
});
