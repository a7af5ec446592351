import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { parseJson, readJson } from "./read-json.ts";

test.each([
  ['{"a":1}', { a: 1 }],
  [Buffer.from('["é"]'), ["é"]],
  ["null", null],
  ["", undefined],
  ['{"a":', undefined],
])("parseJson() reads %j", (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test("readJson() reads a file, and undefined where there is none or it is not JSON", () => {
  const dir = tempDir();
  const put = (name: string, text: string): string => {
    fs.writeFileSync(path.join(dir, name), text);
    return path.join(dir, name);
  };
  const whole = put("whole", '{"a":1}\n');
  fs.symlinkSync("loop", path.join(dir, "loop"));
  const none = [
    put("half", '{"a'),
    dir,
    path.join(dir, "absent"),
    path.join(whole, "x"),
    path.join(dir, "loop"),
  ];
  expect([whole, ...none].map(readJson)).toEqual([{ a: 1 }, ...none.map(() => undefined)]);
});

test("readJson() throws what says nothing about the file", () => {
  const error = Object.assign(new Error("EIO"), { code: "EIO" });
  const spy = vi.spyOn(fs, "readFileSync").mockImplementation(() => {
    throw error;
  });
  onTestFinished(() => spy.mockRestore());
  expect(() => readJson("/any")).toThrow(error);
});
