import { describe, expect, test } from "vitest";
import { cutEnd, cutStart } from "./cut-text.ts";
import { displayWidth } from "./display-width.ts";
import {
  formatAge,
  formatBytes,
  formatCount,
  formatDuration,
  formatTokens,
  plural,
} from "../../../lib/quantities.ts";
import { shortIds } from "./short-ids.ts";
import { makeStyle } from "./style.ts";
import { renderTable, type TableColumn } from "./table.ts";
import { wrapText } from "./wrap-text.ts";

const plain = makeStyle({ hasColor: false });

describe("displayWidth()", () => {
  test.each([
    ["plain", 5],
    ["naïve…", 6],
    ["日本語", 6],
    ["👩‍🚀", 2],
    ["e\u0301", 1],
  ])("of %s is %i cells", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe("cutEnd() and cutStart()", () => {
  test("keep what fits", () => {
    expect([cutEnd("abc", 3), cutStart("abc", 3)]).toEqual(["abc", "abc"]);
  });
  test("never cut a wide character in two", () => {
    expect([cutEnd("日本語", 4), cutStart("日本語", 4)]).toEqual(["日…", "…語"]);
  });
  test("take no more than the width from a text of megabytes", () => {
    expect(cutEnd("x".repeat(5_000_000), 10)).toBe("xxxxxxxxx…");
    expect(cutEnd("a".repeat(30), 0)).toBe("");
  });
});

describe("wrapText()", () => {
  test("breaks between words and keeps indentation", () => {
    expect(wrapText("  one two three four", 10)).toEqual(["  one two", "  three", "  four"]);
  });
  test("stands continued lines of a list item under its text", () => {
    expect(wrapText("- one two three", 9)).toEqual(["- one two", "  three"]);
  });
  test("breaks a word that alone is too long", () => {
    expect(wrapText("see abcdefghijkl now", 6)).toEqual(["see", "abcdef", "ghijkl", "now"]);
  });
  test("leaves code as it is", () => {
    const code = "```\nconst aVeryLongLineOfCode = 1;\n```";
    expect(wrapText(`${code}\nand so on and on`, 10)).toEqual([...code.split("\n"), "and so on", "and on"]);
  });
  test("never makes a line wider than the window, whatever the words", () => {
    const text = "日本語のテキスト と 👩‍🚀 emoji and averyveryverylongword ".repeat(20);
    expect(wrapText(text, 12).filter((line) => displayWidth(line) > 12)).toEqual([]);
  });
});

interface Row {
  id: string;
  size: string;
  title: string;
}

const columns: TableColumn<Row>[] = [
  { title: "ID", value: ({ id }) => id },
  { title: "SIZE", value: ({ size }) => size, isRight: true, dropOrder: 1 },
  { title: "TITLE", value: ({ title }) => title, widthMin: 8 },
];
const rows: Row[] = [
  { id: "aaaa", size: "1 KB", title: "A title that is long" },
  { id: "bbbb", size: "20 KB", title: "短い日本語の題" },
];

describe("renderTable()", () => {
  test("shows everything where there is room", () => {
    expect([...renderTable(rows, columns, { columns: Infinity, style: plain })]).toEqual([
      "ID     SIZE  TITLE",
      "aaaa   1 KB  A title that is long",
      "bbbb  20 KB  短い日本語の題",
    ]);
  });
  test("aligns also a last column to the right, where there is room", () => {
    expect([
      ...renderTable(rows, [columns[0]!, columns[2]!, columns[1]!], { columns: Infinity, style: plain }),
    ]).toEqual([
      "ID    TITLE                  SIZE",
      "aaaa  A title that is long   1 KB",
      "bbbb  短い日本語の題        20 KB",
    ]);
  });
  test("cuts, then drops columns, and never wraps", () => {
    expect([...renderTable(rows, columns, { columns: 24, style: plain })]).toEqual([
      "ID     SIZE  TITLE",
      "aaaa   1 KB  A title th…",
      "bbbb  20 KB  短い日本語…",
    ]);
    expect([...renderTable(rows, columns, { columns: 18, style: plain })]).toEqual([
      "ID    TITLE",
      "aaaa  A title tha…",
      "bbbb  短い日本語…",
    ]);
  });
  test.each([1, 3, 5, 8, 13, 21])("fits a window of %i cells", (width) => {
    const narrow = [...renderTable(rows, columns, { columns: width, style: plain })];
    expect(narrow.filter((line) => displayWidth(line) > Math.max(4, width))).toEqual([]);
  });
  test("leaves out a column in which nothing stands", () => {
    const bare = rows.map(({ id, title }) => ({ id, size: "", title }));
    expect([...renderTable(bare, columns, { columns: 80, style: plain })][0]).toBe("ID    TITLE");
  });
});

describe("quantities", () => {
  test("formatBytes() uses the unit that reads best", () => {
    expect([0, 99, 800, 1000, 31_400, 999_900, 5_300_000, 2e12].map(formatBytes)).toEqual([
      "0 B",
      "99 B",
      "0.8 KB",
      "1.0 KB",
      "31 KB",
      "1.0 MB",
      "5.3 MB",
      "2.0 TB",
    ]);
  });
  test("formatAge() uses one unit", () => {
    const now = new Date("2026-11-15T12:00:00Z");
    const moments = [
      "2026-11-15T11:59:30Z",
      "2026-11-15T12:01:00Z",
      "2026-11-15T11:55:00Z",
      "2026-11-15T09:00:00Z",
      "2026-11-13T12:00:00Z",
    ];
    expect(moments.map((moment) => formatAge(moment, now))).toEqual(["now", "now", "5m", "3h", "2d"]);
    const older = ["2026-10-20T12:00:00Z", "2026-06-01T00:00:00Z", "2023-01-01T00:00:00Z", "never"];
    expect(older.map((moment) => formatAge(moment, now))).toEqual(["3w", "5mo", "3y", ""]);
  });
  test("the others say it as people do", () => {
    expect([
      formatCount(1234567),
      formatTokens(155_300),
      plural(1, "line"),
      plural(2, "entry", "entries"),
    ]).toEqual(["1,234,567", "155k", "1 line", "2 entries"]);
    expect([850, 12_000, 185_000, 7_800_000].map(formatDuration)).toEqual([
      "850ms",
      "12s",
      "3m 5s",
      "2h 10m",
    ]);
  });
});

describe("shortIds()", () => {
  test("takes as much of an id as tells it from the others", () => {
    const ids = [
      "aaaa1111-0000-4000-8000-000000000001",
      "aaaa1111-0000-4000-8000-000000000002",
      "bbbb2222-0000-4000-8000-000000000001",
    ];
    expect([...shortIds(ids).values()]).toEqual([ids[0], ids[1], "bbbb2222"]);
    const names = ["a-long-name-of-mine", "a-long-name-of-yours", "a-long-n", ids[0]!];
    expect(names.map((name) => shortIds(names).get(name))).toEqual([
      "a-long-name-of-m",
      "a-long-name-of-y",
      "a-long-n",
      "aaaa1111",
    ]);
    expect(shortIds(["my-own-name"]).get("my-own-name")).toBe("my-own-name");
  });
});
