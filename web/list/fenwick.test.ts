import { describe, expect, test } from "vitest";
import { seededRandom } from "../../test/support/seeded-random.ts";
import { Heights } from "./fenwick.ts";

describe("Heights", () => {
  test("agrees with a plain sum after any changes", () => {
    const random = seededRandom(7);
    const plain = Array.from({ length: 300 }, () => 20);
    const heights = new Heights(plain.length, 20);
    for (let round = 0; round < 2000; round++) {
      const index = Math.floor(random.between(0, plain.length - 1));
      plain[index] = random.between(0, 90);
      heights.set(index, plain[index]);
      if (round % 400 === 0) {
        plain.push(20, 20, 20);
        heights.resize(plain.length);
      }
    }
    const offsets = plain.map((_, index) => plain.slice(0, index).reduce((sum, height) => sum + height, 0));
    expect(plain.map((_, index) => heights.offsetOf(index))).toEqual(offsets);
    expect(heights.total).toBe(plain.reduce((sum, height) => sum + height, 0));
  });

  test("finds the row at a height, past rows without one", () => {
    const heights = new Heights(4, 10);
    heights.set(1, 0);
    heights.set(2, 0);
    expect([0, 9, 10, 19, 20, 999].map((offset) => heights.indexAt(offset))).toEqual([0, 0, 3, 3, 3, 3]);
  });

  test("takes many rows at once", () => {
    const heights = new Heights(100_000, 30);
    heights.set(50_000, 130);
    heights.resize(250_000);
    expect([heights.offsetOf(50_001), heights.total, heights.indexAt(7_000_000)]).toEqual([
      1_500_130, 7_500_100, 233_330,
    ]);
  });

  test("forgets rows that went and takes new ones as estimated", () => {
    const heights = new Heights(3, 10);
    heights.set(2, 100);
    heights.resize(2);
    expect(heights.total).toBe(20);
    heights.resize(4);
    expect(heights.total).toBe(40);
  });
});
