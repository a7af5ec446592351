import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { floorNode } from "./floor-node.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("the floor, Node 22.18.0", () => {
  test("parses every source that a clone runs, and every sample of the documents", () => {
    const files = ["src", "examples", "test/programs", "docs/guide", "README.md"]
      .flatMap((name) => filesIn(path.join(root, name)))
      .filter((file) => /(?<!\.test|\.d)\.ts$|\.md$/.test(file) && !file.includes("/assembly/"));
    expect(files.length).toBeGreaterThan(500);
    expect(unparsed(files)).toEqual({});
  });
});

function unparsed(files: string[]): unknown {
  const program = path.join(root, "test/package/parse-files.mjs");
  const args = ["--disable-warning=ExperimentalWarning", "--experimental-vm-modules", program];
  return JSON.parse(execFileSync(floorNode, args, { cwd: root, input: files.join("\n"), encoding: "utf8" }));
}

function filesIn(name: string): string[] {
  if (fs.statSync(name).isFile()) return [name];
  return fs.readdirSync(name).flatMap((child) => filesIn(path.join(name, child)));
}
