import { expect, test } from "vitest";
import { questionInputLengthMax } from "./limits.ts";
import { questionInput } from "./question-input.ts";

test("questionInput() gives a short input as it is", () => {
  const input = { command: "ls", timeout: 5 };
  expect(questionInput(input)).toEqual({ input });
});

test("questionInput() cuts what is long, never what stands behind it", () => {
  const long = "x".repeat(2 * questionInputLengthMax);
  const given = {
    description: long,
    command: "rm -rf src",
    more: { note: long, path: "/etc" },
    list: [long, "y"],
  };
  const { input, isInputCut } = questionInput(given);
  expect(isInputCut).toBe(true);
  expect(Object.keys(input)).toEqual(Object.keys(given));
  expect(input).toMatchObject({ command: "rm -rf src", more: { path: "/etc" } });
  expect((input["list"] as string[])[1]).toBe("y");
  expect(JSON.stringify(input).length).toBeLessThan(1.5 * questionInputLengthMax);
});

test("questionInput() bounds an input of very many keys", () => {
  const input = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key${n}`, n]));
  const cut = questionInput(input);
  expect(cut.isInputCut).toBe(true);
  expect(JSON.stringify(cut.input).length).toBeLessThan(2 * questionInputLengthMax);
});
