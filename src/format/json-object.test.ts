import { expect, test } from "vitest";
import { isJsonObject } from "./json-object.ts";

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ["{}", false],
  [0, false],
  [undefined, false],
])("isJsonObject() answers for %j: %j", (value, expected) => {
  expect(isJsonObject(value)).toBe(expected);
});
