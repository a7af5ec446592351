import { expect, test } from "vitest";
import { HoldfastError, codeOf, messageOf } from "./errors.ts";

test("HoldfastError() keeps code, fields and cause, and is not retryable unless said so", () => {
  const cause = new Error("disk full");
  const error = new HoldfastError('Cannot write "a": disk full', { code: "x", cause, fields: { path: "a" } });
  expect(error).toMatchObject({
    name: "HoldfastError",
    message: 'Cannot write "a": disk full',
    code: "x",
    retryable: false,
    cause,
    fields: { path: "a" },
  });
  expect(new HoldfastError("m", { code: "x", retryable: true }).retryable).toBe(true);
  expect("cause" in new HoldfastError("m", { code: "x" })).toBe(false);
});

test.each([
  [Object.assign(new Error("e"), { code: "ENOENT" }), "ENOENT"],
  [new HoldfastError("m", { code: "conflict" }), "conflict"],
  [Object.assign(new Error("e"), { code: 7 }), undefined],
  [new Error("e"), undefined],
  ["thrown text", undefined],
  [null, undefined],
  [undefined, undefined],
])("codeOf() finds the code of %s", (error, code) => {
  expect(codeOf(error)).toBe(code);
});

test("messageOf() says what was thrown, whatever it was", () => {
  expect([new RangeError("too far"), "a text", undefined].map(messageOf)).toEqual([
    "too far",
    "a text",
    "undefined",
  ]);
});
