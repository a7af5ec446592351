import { expect, test } from "vitest";
import { parsePatch } from "./parse-patch.ts";

test("parsePatch() numbers the lines of both sides and marks the words that changed", () => {
  const patch = [
    "--- a/x",
    "+++ b/x",
    "@@ -3,3 +3,3 @@",
    " same",
    "-const one = 1;",
    "+const one = 12;",
    "\\ No newline at end of file",
  ];
  expect(parsePatch(patch.join("\n"))).toEqual([
    { kind: "hunk", runs: [{ text: "@@ -3,3 +3,3 @@", isChanged: false }] },
    { kind: "same", oldLine: 3, newLine: 3, runs: [{ text: "same", isChanged: false }] },
    {
      kind: "removed",
      oldLine: 4,
      runs: [
        { text: "const one = 1", isChanged: false },
        { text: ";", isChanged: false },
      ],
    },
    {
      kind: "added",
      newLine: 4,
      runs: [
        { text: "const one = 1", isChanged: false },
        { text: "2", isChanged: true },
        { text: ";", isChanged: false },
      ],
    },
  ]);
});
