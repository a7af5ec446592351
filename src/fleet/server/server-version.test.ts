import { expect, test } from "vitest";
import { isNewEnough, parseServerVersion } from "./server-version.ts";

test.each([
  ["nats-server: v2.15.1\n", "2.15.1", true],
  ["2.14.0", "2.14.0", true],
  ["nats-server: v2.9.10", "2.9.10", false],
  ["nats-server: v2.13.99-RC.1", "2.13.99", false],
  ["v3.0.0", "3.0.0", true],
])("parseServerVersion() reads %j", (text, version, isNew) => {
  const parsed = parseServerVersion(text)!;
  expect({ text: parsed.text, isNew: isNewEnough(parsed) }).toEqual({ text: version, isNew });
});

test("parseServerVersion() gives nothing for what is no version", () => {
  expect(parseServerVersion("command not found")).toBeUndefined();
});
