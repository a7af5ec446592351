import { expect, test } from "vitest";
import { startTimeOf } from "./process-identity.ts";
import { startedAtMs } from "./process-start.ts";

test("startedAtMs() is when this process started, to the second", () => {
  const startedAt = startedAtMs(startTimeOf(process.pid)!)!;
  expect(Math.abs(startedAt - (Date.now() - process.uptime() * 1000))).toBeLessThan(2000);
});

test("startedAtMs() of what is no start time is not known", () => {
  expect(startedAtMs("x")).toBeUndefined();
});
