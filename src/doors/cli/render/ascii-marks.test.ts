import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { displayWidth } from "./display-width.ts";
import { asciiMarks } from "./ascii-marks.ts";

const cli = fileURLToPath(new URL("..", import.meta.url));

test("asciiMarks() has a sign, as wide, for every mark that the command line draws", () => {
  const sources = fs
    .readdirSync(cli, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => fs.readFileSync(path.join(cli, name), "utf8"));
  const marks = new Set(sources.join("").match(/[^\0-\x7f]/gu));
  expect(marks.size).toBeGreaterThan(20);
  for (const mark of marks) {
    const sign = asciiMarks(mark);
    expect({ mark, sign }).toEqual({ mark, sign: expect.stringMatching(/^[\x20-\x7e]+$/) as string });
    expect(displayWidth(sign)).toBe(displayWidth(mark));
  }
});
