import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { readIfPlain } from "./read-if-plain.ts";

const size = (file: string): number | undefined => readIfPlain(file, (_, stat) => stat.size);

test("readIfPlain() reads a plain file, and nothing else: no folder, no named pipe, no file that is not there", () => {
  const at = (name: string): string => path.join(dir, name);
  const dir = tempDir();
  fs.writeFileSync(at("file"), "four");
  fs.symlinkSync("file", at("link"));
  execFileSync("mkfifo", [at("pipe")]);
  expect(["file", "link"].map((name) => size(at(name)))).toEqual([4, 4]);
  expect(["pipe", ".", "gone", "file/inside"].map((name) => size(at(name)))).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
  const broken = readIfPlain(at("file"), () => {
    throw new Error("cannot be read");
  });
  expect(broken).toBeUndefined();
});
