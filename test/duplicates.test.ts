import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
/** One more than may be equal. */
const WINDOW = 13;

interface Line {
  text: string;
  place: string;
}

// Without imports, blank lines and comments; white space is folded.
function linesOf(file: string): Line[] {
  let isImport = false;
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return text.split("\n").flatMap((raw, index): Line[] => {
    const line = raw.trim().replace(/\s+/g, " ");
    isImport ||= /^import\b(?! ?[(.])/.test(line);
    const isLeftOut = isImport || line === "" || /^(?:\/\/|\/?\*|#)/.test(line);
    if (/[;"]$/.test(line)) isImport = false;
    return isLeftOut ? [] : [{ text: line, place: `${file}:${index + 1}` }];
  });
}

function sourceFiles(): string[] {
  return ["src", "web", "test", "bench", "scripts", "examples"]
    .flatMap((dir) =>
      fs
        .readdirSync(path.join(root, dir), { recursive: true, encoding: "utf8" })
        .map((name) => `${dir}/${name}`),
    )
    .filter((file) => /\.(?:tsx?|mjs|js|sh)$/.test(file) && !/\/(?:node_modules|fixtures)\//.test(file));
}

test("no two passages of more than twelve lines are equal", () => {
  const seen = new Map<string, string>();
  const equal: string[] = [];
  for (const file of sourceFiles()) {
    const lines = linesOf(file);
    for (let at = 0; at + WINDOW <= lines.length; at++) {
      const passage = lines
        .slice(at, at + WINDOW)
        .map(({ text }) => text)
        .join("\n");
      const before = seen.get(passage);
      if (before !== undefined) equal.push(`${before} = ${lines[at]!.place}`);
      else seen.set(passage, lines[at]!.place);
    }
  }
  expect(equal).toEqual([]);
});
