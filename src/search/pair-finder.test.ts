import { afterEach, expect, test, vi } from "vitest";
import { seededRandom } from "../../test/support/index.ts";
import { findPairProgram } from "./find-pair-program.ts";
import { CASE_BIT, PairFinder, pairDistanceMax } from "./pair-finder.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("findPairProgram() makes a program that WebAssembly takes", () => {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { validate(code: Uint8Array): boolean } };
  expect(WebAssembly.validate(findPairProgram())).toBe(true);
});

test.each(["WebAssembly", "none"])("PairFinder finds the first pair of random bytes, with %s", (engine) => {
  if (engine === "none") vi.stubGlobal("WebAssembly", undefined);
  const random = seededRandom(Date.now() % 1_000_000_000);
  const { seed } = random;
  const between = (min: number, max: number): number => random.between(min, max);
  const oneOf = (letters: string): number => letters.charCodeAt(between(0, letters.length - 1));
  const length = 2000;
  const finder = new PairFinder(length);
  const { bytes } = finder;
  // Memory of WebAssembly comes in pages.
  expect(bytes.buffer.byteLength % (1 << 16) === 0).toBe(engine === "WebAssembly");
  for (let at = 0; at < length; at++) bytes[at] = oneOf("aAbBcC019 \n\u0001\u0011\u00e9");
  for (let round = 0; round < 500; round++) {
    const distance = between(0, round % 2 === 0 ? 3 : pairDistanceMax);
    const thirdDistance = between(0, round % 3 === 0 ? 3 : pairDistanceMax);
    const pair = { first: oneOf("abc019"), second: oneOf("abc019"), distance };
    const third =
      round % 5 === 0 ? { third: pair.first, thirdDistance: 0 } : { third: oneOf("abc019"), thirdDistance };
    const to = between(0, length - Math.max(distance, thirdDistance));
    const from = between(0, to);
    let expected = from;
    const isPair = (): boolean =>
      (bytes[expected]! | CASE_BIT) === pair.first &&
      (bytes[expected + distance]! | CASE_BIT) === pair.second &&
      (bytes[expected + third.thirdDistance]! | CASE_BIT) === third.third;
    while (expected < to && !isPair()) expected++;
    const found = Math.min(finder.find({ ...pair, ...third }, from, to), to);
    expect({ seed, round, found }).toEqual({ seed, round, found: expected });
  }
});

test("PairFinder is as long as it was asked to be, and finds what stands at its end", () => {
  for (const length of [2, 64, 65_472, 65_536, 1 << 20]) {
    const finder = new PairFinder(length);
    finder.bytes.fill("x").write("aB", length - 2);
    expect(finder.bytes.length).toBe(length);
    const pair = { first: 0x61, second: 0x62, distance: 1, third: 0x61, thirdDistance: 0 };
    expect(finder.find(pair, 0, length - 1)).toBe(length - 2);
  }
});
