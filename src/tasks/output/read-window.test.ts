import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { readWindow } from "./read-window.ts";

function outputOf(text: string | Buffer): string {
  const file = path.join(tempDir(), "b1.output");
  fs.writeFileSync(file, text);
  return file;
}

test("readWindow() gives the last bytes, any bytes, and those before an end, as whole characters", () => {
  const file = outputOf("one\ntwö\nthree\n");
  expect(readWindow(file, {})).toEqual({
    from: 0,
    to: 15,
    isAtLineStart: true,
    text: "one\ntwö\nthree\n",
    bytes: 15,
    cutBytes: 0,
    isMissing: false,
  });
  expect(readWindow(file, { bytes: 6 })).toMatchObject({
    from: 9,
    to: 15,
    isAtLineStart: true,
    text: "three\n",
  });
  // 7 is inside of ö.
  expect(readWindow(file, { from: 7, bytes: 3 })).toMatchObject({
    from: 8,
    to: 10,
    isAtLineStart: false,
    text: "\nt",
  });
  expect(readWindow(file, { from: 4, bytes: 3 })).toMatchObject({
    from: 4,
    to: 6,
    isAtLineStart: true,
    text: "tw",
  });
  expect(readWindow(file, { end: 4, bytes: 100 })).toMatchObject({ from: 0, to: 4, text: "one\n" });
  expect(readWindow(file, { from: 4, end: 6 })).toMatchObject({ from: 4, to: 6, text: "tw" });
});

test("readWindow() stays inside of the file, and behind what was cut from its head", () => {
  const file = outputOf("0123456789");
  expect(readWindow(file, { from: 99 })).toMatchObject({ from: 10, to: 10, text: "" });
  expect(readWindow(file, { end: 999, bytes: 2 })).toMatchObject({ from: 8, to: 10, text: "89" });
  fs.writeFileSync(`${file}.cut`, "4\n");
  expect(readWindow(file, { from: 0 })).toMatchObject({
    from: 4,
    text: "456789",
    cutBytes: 4,
    isAtLineStart: true,
  });
});

test("readWindow() holds half a character back until the task has ended, and follows no link", () => {
  const half = Buffer.concat([Buffer.from("ab"), Buffer.from("€").subarray(0, 2)]);
  const file = outputOf(half);
  expect(readWindow(file, {})).toMatchObject({ to: 2, text: "ab" });
  expect(readWindow(file, { isFinal: true })).toMatchObject({ to: 4, text: "ab\ufffd" });
  const link = path.join(path.dirname(file), "link");
  fs.symlinkSync(file, link);
  expect(readWindow(link, {})).toMatchObject({ isMissing: true, bytes: 0 });
});
