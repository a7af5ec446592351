import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { lastLinesOffset, readFrom, readHeadAndTail, readTail } from "./read-output.ts";

const seed = Date.now() % 1_000_000_000;
const MARK = /\n\[output truncated: (\d+) bytes\]\n/;

function fileWith(bytes: string | Uint8Array, { cut = 0 } = {}): string {
  const file = path.join(tempDir(), "b12345678.output");
  fs.writeFileSync(file, bytes);
  if (cut > 0) {
    const fd = fs.openSync(file, "r+");
    fs.writeSync(fd, Buffer.alloc(Math.min(cut, bytes.length)), 0, undefined, 0);
    fs.closeSync(fd);
    fs.writeFileSync(`${file}.cut`, `${cut}\n`);
  }
  return file;
}

// Characters of one to four bytes, with ends of lines and of zeroes.
const text = fc
  .array(fc.constantFrom("a", "\n", "é", "你", "🙂", "0", "\r", "ß", "💾"), { maxLength: 400 })
  .map((characters) => characters.join(""));

describe(`reading outputs (seed ${seed})`, () => {
  test("readHeadAndTail() cuts no character, keeps to its limit and says what is missing", () => {
    fc.assert(
      fc.property(text, fc.nat(500), (whole, bytesMax) => {
        const file = fileWith(whole);
        const read = readHeadAndTail(file, { bytesMax });
        fs.rmSync(path.dirname(file), { recursive: true });
        const total = Buffer.byteLength(whole);
        const [head = "", said, tail = ""] = read.text.split(MARK);
        const shown = Buffer.byteLength(head) + Buffer.byteLength(tail);
        expect(read.text).not.toContain("\uFFFD");
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(shown).toBeLessThanOrEqual(bytesMax);
        expect(Number(said ?? 0)).toBe(total - shown);
        expect(read).toMatchObject({ truncatedBytes: total - shown, totalBytes: total, missing: false });
        // What fits is given whole; else at most a character is lost at each of the two cuts.
        expect(total <= bytesMax ? read.text === whole : shown > bytesMax - 8).toBe(true);
      }),
      { seed },
    );
  });

  test("readTail() gives the last bytes or lines, whole characters only", () => {
    const lines = fc.option(fc.nat(20), { nil: undefined });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 500 }), lines, (whole, bytesMax, count) => {
        const file = fileWith(whole);
        const read = readTail(file, { bytesMax, lines: count });
        fs.rmSync(path.dirname(file), { recursive: true });
        expect(whole.endsWith(read.text)).toBe(true);
        expect(read.truncatedBytes).toBe(Buffer.byteLength(whole) - Buffer.byteLength(read.text));
        expect(Buffer.byteLength(read.text)).toBeLessThanOrEqual(bytesMax);
        const wanted = whole.split(/(?<=\n)/).slice(count === undefined ? 0 : -count || Infinity);
        const expected = wanted.join("");
        expect(
          Buffer.byteLength(expected) <= bytesMax ? read.text === expected : expected.endsWith(read.text),
        ).toBe(true);
      }),
      { seed },
    );
  });

  test("readFrom() gives every byte once, in pieces of whole characters, while the file grows", () => {
    const steps = fc.array(fc.nat(40), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(text, steps, fc.integer({ min: 4, max: 60 }), (whole, growth, bytesMax) => {
        const file = fileWith("");
        const bytes = Buffer.from(whole);
        let written = 0;
        let offset = 0;
        let got = "";
        const readAll = (isFinal: boolean): void => {
          for (;;) {
            const { text: piece, next } = readFrom(file, { offset, bytesMax, isFinal });
            if (piece === "") return;
            expect(piece).not.toContain("\uFFFD");
            got += piece;
            offset = next;
          }
        };
        for (const step of growth) {
          fs.appendFileSync(file, bytes.subarray(written, written + step));
          written += step;
          readAll(false);
        }
        fs.appendFileSync(file, bytes.subarray(written));
        readAll(true);
        fs.rmSync(path.dirname(file), { recursive: true });
        expect(got).toBe(whole);
        expect(offset).toBe(bytes.length);
      }),
      { seed },
    );
  });

  test("tells true numbers of bytes that are no characters", () => {
    const binary = Buffer.alloc(50_000, 0xff);
    const file = fileWith(binary);
    expect(readHeadAndTail(file, { bytesMax: 30_000 })).toMatchObject({ totalBytes: 50_000, missing: false });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(200), fc.nat(10), (bytes, bytesMax, lines) => {
        const odd = fileWith(bytes);
        for (const { truncatedBytes } of [
          readHeadAndTail(odd, { bytesMax }),
          readTail(odd, { bytesMax }),
          readTail(odd, { bytesMax, lines }),
        ]) {
          expect(truncatedBytes).toBeGreaterThanOrEqual(Math.max(0, bytes.length - bytesMax));
          expect(truncatedBytes).toBeLessThanOrEqual(bytes.length);
        }
        let offset = 0;
        for (let next = -1; next !== offset;) {
          next = offset;
          ({ next: offset } = readFrom(odd, { offset, bytesMax: 7, isFinal: true }));
        }
        expect(offset).toBe(bytes.length);
        fs.rmSync(path.dirname(odd), { recursive: true });
      }),
      { seed },
    );
  });

  test("leaves out what was cut from the head, and says so, wherever the cut was", () => {
    const whole = "äöü🙂\n".repeat(100);
    const total = Buffer.byteLength(whole);
    for (let cut = 1; cut < 60; cut++) {
      const file = fileWith(whole, { cut });
      const read = readHeadAndTail(file, { bytesMax: 5000 });
      const [, said, tail = ""] = read.text.split(MARK);
      expect(tail).not.toMatch(/\uFFFD|\0/);
      expect(whole.endsWith(tail)).toBe(true);
      expect(Number(said)).toBe(total - Buffer.byteLength(tail));
      expect(Number(said) - cut).toBeLessThan(4);
      expect(read).toMatchObject({ truncatedBytes: Number(said), totalBytes: total });
      expect(readFrom(file, { offset: 0, bytesMax: 5000 })).toEqual({ ...read, next: total });
      const short = readHeadAndTail(file, { bytesMax: 20 });
      expect(Buffer.byteLength(short.text.split(MARK)[2]!)).toBeLessThanOrEqual(20);
      expect(readTail(file, { bytesMax: 5000 }).text).toBe(tail);
    }
  });

  test("begins again when the file was replaced by a shorter one", () => {
    expect(readFrom(fileWith("new"), { offset: 100, bytesMax: 50 })).toMatchObject({ text: "new", next: 3 });
  });

  test("says that a file is missing, or a link in its place", () => {
    const dir = tempDir();
    const link = path.join(dir, "link");
    fs.symlinkSync(fileWith("secret"), link);
    for (const file of [path.join(dir, "none"), link]) {
      const missing = { text: "", truncatedBytes: 0, totalBytes: 0, missing: true };
      expect(readHeadAndTail(file, { bytesMax: 10 })).toEqual(missing);
      expect(readTail(file, { bytesMax: 10, lines: 2 })).toEqual(missing);
      expect(readFrom(file, { offset: 7, bytesMax: 10 })).toEqual({ ...missing, next: 7 });
    }
  });

  test("reads the tail of 5 GB as fast as of 1 MB", () => {
    const small = fileWith("x".repeat(1024 * 1024));
    const large = fileWith("");
    fs.truncateSync(large, 5 * 1024 ** 3);
    fs.appendFileSync(large, "the end\n");
    const timed = (file: string): number => {
      const from = performance.now();
      for (let n = 0; n < 50; n++) readTail(file, { bytesMax: 30_000 });
      return (performance.now() - from) / 50;
    };
    timed(small);
    const rounds = Array.from({ length: 7 }, () => timed(large) / timed(small)).sort((a, b) => a - b);
    process.stdout.write(`tail of 5 GB against 1 MB: ${rounds[3]!.toFixed(2)} times\n`);
    expect(readTail(large, { bytesMax: 8 }).text).toBe("the end\n");
    expect(rounds[3]).toBeLessThan(3);
  });
});

describe("lastLinesOffset()", () => {
  const tail = (given: string, lines: number): string => {
    const file = path.join(tempDir(), "output");
    fs.writeFileSync(file, given);
    return given.slice(lastLinesOffset(file, lines));
  };

  test.each([
    ["", 3, ""],
    ["one\n", 1, "one\n"],
    ["one\ntwo\nthree\n", 1, "three\n"],
    ["one\ntwo\nthree\n", 2, "two\nthree\n"],
    ["one\ntwo\nthree", 2, "two\nthree"],
    ["one\ntwo\n", 5, "one\ntwo\n"],
    ["\n\n\n", 2, "\n\n"],
  ])("of %j finds the last %i lines", (given, lines, expected) => {
    expect(tail(given, lines)).toBe(expected);
  });

  test("finds lines that are longer than a block, and begin or end at one", () => {
    const long = "x".repeat(65_535);
    const given = `${long}\n${long}\nend\n`;
    for (const lines of [1, 2, 3, 4])
      expect(tail(given, lines)).toBe(given.split("\n").slice(0, 3).slice(-lines).join("\n") + "\n");
  });

  test("begins at 0 of a file that is gone", () => {
    expect(lastLinesOffset(path.join(tempDir(), "gone"), 3)).toBe(0);
  });
});
