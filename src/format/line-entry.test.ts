import { describe, expect, test } from "vitest";
import { entryOfText } from "./line-entry.ts";

describe("entryOfText()", () => {
  test.each(['{"type":"user"}', '\uFEFF{"type":"user"}', ' {"type":"user"}\r'])("reads %j", (line) => {
    expect(entryOfText(line)).toEqual({ type: "user" });
  });

  test.each([
    "",
    "null",
    "7",
    '["type"]',
    '{"type":7}',
    '{"type":"us',
    '{"type":"user"}{"type":"user"}',
    '{"type":"us\0er"}',
    '{"type":"user"}\0',
    '\uFEFF\uFEFF{"type":"user"}',
  ])("refuses %j", (line) => {
    expect(entryOfText(line)).toBeUndefined();
  });
});
