import { describe, expect, test } from "vitest";
import { makeStyle } from "../../render/style.ts";
import { itemLines } from "./item-lines.ts";

const options = { columns: 20, style: makeStyle({ hasColor: false }) };
const notice = {
  kind: "notice",
  text: "Cannot do\u001b[1m this: it is not possible",
  isError: true,
} as const;
const prompt = {
  kind: "prompt",
  text: "hi",
  images: 0,
  isQueued: false,
  at: "2026-01-01T00:00:00Z",
} as const;

describe("itemLines()", () => {
  test("says all of what the chat itself has to say", () => {
    expect(itemLines(notice, prompt, options)).toEqual(["", "! Cannot do this: it", "  is not possible"]);
    expect(itemLines(notice, notice, options)).toEqual(["! Cannot do this: it", "  is not possible"]);
  });

  test("shows a prompt without its time, apart from what was before", () => {
    expect(itemLines(prompt, undefined, options)).toEqual(["❯ hi"]);
    expect(itemLines(prompt, notice, options)).toEqual(["", "❯ hi"]);
  });
});
