import fc from "fast-check";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { compileScan } from "../../scripts/compile-scan.ts";
import { CASE_BIT, PairFinder, pairDistanceMax, type BytePair } from "./pair-finder.ts";

// Tests run from the source, which holds no compiled code: it is compiled here, as the build does.
let code: Uint8Array;

beforeAll(() => {
  code = compileScan();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const LENGTH = 1000;
const letter = fc.constantFrom(..."abc019".split("")).map((each) => each.charCodeAt(0));
const text = fc.string({
  unit: fc.constantFrom(..."aAbBcC019 \n\u0001\u0011\u00e9".split("")),
  minLength: LENGTH,
  maxLength: LENGTH,
});
const distance = fc.oneof(fc.nat(3), fc.nat(pairDistanceMax));
const search = fc
  .record({ first: letter, second: letter, distance, third: letter, thirdDistance: distance })
  .chain((pair) => {
    const toMax = LENGTH - Math.max(pair.distance, pair.thirdDistance);
    return fc.record({ pair: fc.constant(pair), from: fc.nat(toMax), to: fc.nat(toMax) });
  });

/** Written from the description, not from the twin. */
function firstPair(bytes: Buffer, pair: BytePair, { from, to }: { from: number; to: number }): number {
  const small = [...bytes].map((byte) => byte | CASE_BIT);
  const found = small.findIndex(
    (byte, at) =>
      at >= from &&
      byte === pair.first &&
      small[at + pair.distance] === pair.second &&
      small[at + pair.thirdDistance] === pair.third,
  );
  return found < 0 ? to : Math.min(found, to);
}

test("PairFinder finds the same compiled and plain: the first pair, in either case", () => {
  const compiled = new PairFinder(LENGTH, code);
  const plain = new PairFinder(LENGTH, undefined);
  // Memory of WebAssembly comes in pages.
  expect([compiled, plain].map(({ bytes }) => bytes.buffer.byteLength)).toEqual([1 << 16, LENGTH]);
  fc.assert(
    fc.property(text, fc.array(search, { minLength: 20, maxLength: 20 }), (content, searches) => {
      for (const { bytes } of [compiled, plain]) bytes.write(content, "latin1");
      for (const { pair, from, to } of searches) {
        const found = [compiled, plain].map((finder) => Math.min(finder.find(pair, from, to), to));
        const expected = from >= to ? to : firstPair(plain.bytes, pair, { from, to });
        expect(found).toEqual([expected, expected]);
      }
    }),
  );
});

test.each(["compiled", "plain"])(
  "PairFinder, %s, finds what stands at its end, whatever its length",
  (way) => {
    for (const length of [2, 64, 65_472, 65_536, 1 << 20]) {
      const finder = new PairFinder(length, way === "compiled" ? code : undefined);
      finder.bytes.fill("x").write("aB", length - 2);
      expect(finder.bytes.length).toBe(length);
      const pair = { first: 0x61, second: 0x62, distance: 1, third: 0x61, thirdDistance: 0 };
      expect(finder.find(pair, 0, length - 1)).toBe(length - 2);
    }
  },
);

test("PairFinder uses the plain twin where WebAssembly cannot be had", () => {
  vi.stubGlobal("WebAssembly", undefined);
  const finder = new PairFinder(100, code);
  expect(finder.bytes.buffer.byteLength).toBe(100);
  finder.bytes.fill("x").write("aB", 50);
  const pair = { first: 0x61, second: 0x62, distance: 1, third: 0x61, thirdDistance: 0 };
  expect(finder.find(pair, 0, 99)).toBe(50);
});
