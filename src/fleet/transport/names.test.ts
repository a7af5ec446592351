import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isSubjectToken, shardOf } from "./names.ts";

test("shardOf() spreads sessions evenly, and always the same way", () => {
  expect(shardOf("0a4d1152-845e-4b93-8c30-d1aa291bf4a1", { shards: 8 })).toBe(
    shardOf("0a4d1152-845e-4b93-8c30-d1aa291bf4a1", { shards: 8 }),
  );
  const counts = new Map<number, number>();
  for (let at = 0; at < 8000; at++) {
    const shard = shardOf(randomUUID(), { shards: 8 });
    counts.set(shard, (counts.get(shard) ?? 0) + 1);
  }
  expect(counts.size).toBe(8);
  expect(Math.min(...counts.values())).toBeGreaterThan(800);
});

test.each([
  ["abc-DEF_1", true],
  ["", false],
  ["a.b", false],
  ["*", false],
  [">", false],
  ["a b", false],
  ["x".repeat(65), false],
  [7, false],
])("isSubjectToken(%j) is %j", (name, isToken) => {
  expect(isSubjectToken(name)).toBe(isToken);
});
