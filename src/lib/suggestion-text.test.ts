import { expect, test } from "vitest";
import type { Suggestion } from "./suggestion.ts";
import { suggestionText } from "./suggestion-text.ts";

test.each<[Suggestion, string]>([
  [{ verb: "prune" }, "holdfast prune"],
  [{ verb: "doctor", options: { repair: true } }, "holdfast doctor --repair"],
  [{ verb: "archive keep", args: ["on"] }, "holdfast archive keep on"],
  [{ verb: "move", args: ["<session>", "<folder>"] }, "holdfast move <session> <folder>"],
  [
    { verb: "fleet init", options: { replicas: 3, maxTotal: "a b" } },
    "holdfast fleet init --replicas 3 --max-total 'a b'",
  ],
  [{ program: "chmod", args: ["700", "/home/some body"] }, "chmod 700 '/home/some body'"],
])("suggestionText() phrases %j as a command line", (suggestion, text) => {
  expect(suggestionText(suggestion)).toBe(text);
});
