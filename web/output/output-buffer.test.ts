import { describe, expect, test } from "vitest";
import { keptLettersMax, OutputBuffer } from "./output-buffer.ts";

const bytesOf = (text: string): number => Buffer.byteLength(text);
const textOf = (buffer: OutputBuffer): string => buffer.lines.map(({ text }) => text).join("\n");

describe("OutputBuffer", () => {
  test("joins lines across pieces, before and behind", () => {
    const whole = "zero\none é€😀 two\nthree\nfour";
    const [a, b] = [7, 17].map((at) => bytesOf(whole.slice(0, at))) as [number, number];
    const buffer = new OutputBuffer();
    buffer.replace({ from: a, to: b, text: whole.slice(7, 17) });
    const middle = buffer.lineAt(buffer.indexOf(a));
    expect(buffer.append({ from: b, to: bytesOf(whole), text: whole.slice(17) })).toBe(true);
    const last = buffer.indexOf(bytesOf(whole));
    expect(buffer.prepend({ from: 0, to: a, text: whole.slice(0, 7) })).toBe(true);
    expect(textOf(buffer)).toBe(whole);
    expect(buffer.lines.map(({ at }) => at)).toEqual(
      ["", "zero\n", "zero\none é€😀 two\n", "zero\none é€😀 two\nthree\n"].map(bytesOf),
    );
    expect(middle?.text).toContain("e");
    expect(buffer.lineAt(last)?.text).toBe("four");
  });

  test("leaves out what it has, and refuses what would leave a gap", () => {
    const buffer = new OutputBuffer();
    buffer.replace({ from: 0, to: 4, text: "abcd" });
    expect(buffer.append({ from: 2, to: 6, text: "cdef" })).toBe(true);
    expect(buffer.append({ from: 0, to: 3, text: "abc" })).toBe(true);
    expect(textOf(buffer)).toBe("abcdef");
    expect(buffer.append({ from: 9, to: 10, text: "x" })).toBe(false);
    expect(buffer.prepend({ from: 9, to: 10, text: "x" })).toBe(false);
  });

  test("keeps a bounded part of an endless output, and its numbers", () => {
    const buffer = new OutputBuffer();
    const piece = `${"x".repeat(99)}\n`.repeat(1000);
    buffer.replace({ from: 0, to: 0, text: "" });
    for (let at = 0; at < 50; at++)
      buffer.append({ from: at * piece.length, to: (at + 1) * piece.length, text: piece });
    expect(textOf(buffer).length).toBeLessThanOrEqual(keptLettersMax);
    expect(buffer.to).toBe(50 * piece.length);
    expect(buffer.lineAt(buffer.origin)?.at).toBe(buffer.from);
    expect(buffer.from % 100).toBe(0);
  });

  test("goes on with the colours of the line before", () => {
    const buffer = new OutputBuffer();
    buffer.replace({ from: 0, to: 12, text: "\x1b[31mred\nred" });
    expect(buffer.lines[1]?.state.fg).toBe(1);
  });
});
