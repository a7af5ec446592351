import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { findFiles } from "./find-files.ts";

function folderWith(...files: string[]): string {
  const dir = tempDir();
  for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    fs.writeFileSync(path.join(dir, file), "");
  }
  return dir;
}

const { signal } = new AbortController();

test("findFiles() puts names that begin so first, then paths, then the others", async () => {
  const cwd = folderWith(
    "src/deep/app.ts",
    "app/main.ts",
    "src/Application.ts",
    "lib/wrapper.ts",
    "node_modules/app.js",
    ".git/app",
  );
  const find = (typed: string): Promise<string[]> => findFiles(typed, { cwd, limit: 10, signal });
  expect(await find("app")).toEqual([
    "src/deep/app.ts",
    "src/Application.ts",
    "app/main.ts",
    "lib/wrapper.ts",
  ]);
  expect(await find("deep/a")).toEqual(["src/deep/app.ts"]);
  expect(await find("none")).toEqual([]);
});

test("findFiles() keeps only the best of many, and is given up when somebody has typed on", async () => {
  const many = Array.from({ length: 600 }, (_, index) => `dir${index % 7}/x-file-${index}`);
  const cwd = folderWith(...many, "zz/file-best");
  expect(await findFiles("file-", { cwd, limit: 3, signal })).toEqual([
    "zz/file-best",
    "dir0/x-file-0",
    "dir0/x-file-7",
  ]);
  const aborted = AbortSignal.abort(new Error("typed on"));
  await expect(findFiles("x", { cwd, limit: 3, signal: aborted })).rejects.toThrow("typed on");
});
