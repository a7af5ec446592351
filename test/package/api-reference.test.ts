import fs from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { apiFile, apiReference } from "../../scripts/api-reference.ts";

// A compiler reads every source that is exported.
const BUSY_MS = 120_000;
let reference: string;

beforeAll(() => {
  reference = apiReference();
}, BUSY_MS);

/** The rows of the first table below a heading: what stands left, and right of it. */
function rowsBelow(heading: string): [string, string][] {
  const [, below = ""] = reference.split(`\n### ${heading}\n`);
  const lines = below.split("\n### ")[0]!.split("\n");
  return lines.flatMap((line) => {
    const [, left, right] = /^\| `(.*)` \| (.*) \|$/.exec(line) ?? [];
    return left === undefined ? [] : [[left, right!]];
  });
}

describe("docs/api.md", () => {
  test("is what `npm run api` makes of the sources", () => {
    expect(fs.readFileSync(apiFile, "utf8")).toBe(reference);
  });

  test.each([
    ["`runtime`", "brief("],
    ["`runtime.sessions`", "openWriter("],
    ["`runtime.tasks`", "start("],
    ["`runtime.agents`", "continue("],
    ["`runtime.threads`", "open("],
    ["`runtime.fleet`", "bringHome("],
    ["`runtime.health`", "repair("],
    ["`runtime.plugin`", "install("],
    ["Functions and values", "openRuntime("],
    ["Events", "TaskEvent"],
    ["Views: what leaves the process", "TaskView"],
    ["Error codes", "HoldfastErrorCode"],
  ])("has a sentence for everything below %s, among it %s", (heading, known) => {
    const rows = rowsBelow(heading);
    expect(rows.some(([left]) => left.startsWith(known))).toBe(true);
    expect(rows.filter(([, right]) => right.trim() === "").map(([left]) => left)).toEqual([]);
  });
});
