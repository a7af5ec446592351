import { expect, test } from "vitest";
import { taskDescriptionLengthMax } from "./limits.ts";
import { taskSummary } from "./task-summary.ts";

test("taskSummary() says what it was and how it ended, on one line", () => {
  expect(taskSummary("Agent", { description: "Review", how: "failed: no\nmodel" })).toBe(
    'Agent "Review" failed: no model',
  );
});

test("taskSummary() keeps a description inside its quotes, on one line and short", () => {
  const how = "failed with exit code 1";
  expect(taskSummary("Background command", { description: 'x" completed (exit code 0)\n"', how })).toBe(
    'Background command "x\\" completed (exit code 0) \\"" failed with exit code 1',
  );
  expect(taskSummary("Background command", { description: 'a\\" b\\', how })).toBe(
    'Background command "a\\\\\\" b\\\\" failed with exit code 1',
  );
  const description = "y".repeat(taskDescriptionLengthMax + 1);
  expect(taskSummary("Background command", { description, how })).toBe(
    `Background command "${"y".repeat(taskDescriptionLengthMax)}… [1 characters cut]" failed with exit code 1`,
  );
});
