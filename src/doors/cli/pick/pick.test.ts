import { describe, expect, test } from "vitest";
import { displayWidth } from "../render/display-width.ts";
import { makeStyle } from "../render/style.ts";
import type { Choice } from "./choice.ts";
import { pickLines, type PickState } from "./pick-view.ts";
import { pressed } from "./pick.ts";

const style = makeStyle({ hasColor: false });

function choice(id: string, what: string): Choice {
  return { id, shownId: id, atMs: 0, status: "running", where: "~/app", what, preview: async () => [] };
}

const choices = Array.from({ length: 40 }, (_, at) =>
  choice(`b${at}`, at % 2 === 0 ? "npm test" : "make 日本"),
);
const begin: PickState = { title: "Which?", choices, shown: choices, typed: "", selected: 0, preview: [] };
const type = (state: PickState, text: string): PickState => pressed(state, { kind: "text", text });

describe("pressed()", () => {
  test("filters by every word that is typed, wherever it stands, and begins at the top", () => {
    const moved = pressed(begin, { kind: "move", move: "line-end" });
    expect(moved.selected).toBe(39);
    const filtered = type(moved, "TEST b1");
    expect(filtered.shown.map(({ id }) => id)).toEqual(["b10", "b12", "b14", "b16", "b18"]);
    expect(filtered.selected).toBe(0);
    expect(pressed(filtered, { kind: "erase", what: "before" }).typed).toBe("TEST b");
    expect(pressed(filtered, { kind: "erase", what: "line-before" }).shown).toHaveLength(40);
  });

  test("stays inside the list", () => {
    expect(pressed(begin, { kind: "move", move: "up" }).selected).toBe(0);
    expect(pressed(type(begin, "nothing like it"), { kind: "move", move: "down" }).selected).toBe(0);
  });
});

describe("pickLines()", () => {
  test.each([
    [20, 5],
    [60, 12],
    [120, 40],
  ])("fits %i cells and %i rows, with the selected one in sight", (columns, rows) => {
    for (const selected of [0, 20, 39]) {
      const lines = pickLines({ ...begin, selected, preview: ["its end"] }, { columns, rows, style });
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
      expect(lines.filter((line) => line.startsWith("❯ "))).toEqual([
        expect.stringContaining(`b${selected}`),
      ]);
    }
  });

  test("names the status only where there are several", () => {
    const header = (some: readonly Choice[]): string =>
      pickLines({ ...begin, choices: some, shown: some }, { columns: 80, rows: 12, style })[2]!;
    expect(header(choices)).not.toContain("STATUS");
    expect(header([...choices, { ...choices[0]!, status: "failed (1)" }])).toContain("STATUS");
  });

  test("says that nothing fits what was typed", () => {
    expect(pickLines(type(begin, "zzz"), { columns: 60, rows: 12, style })[2]).toBe("  Nothing matches.");
  });
});
