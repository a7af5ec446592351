import { expect, test } from "vitest";
import { groupSameWork, isSameWork } from "./same-work.ts";

const work = { fingerprint: "f", branch: "main", model: "claude-opus-4-5-20251101" };

test.each([
  [work, true],
  // An older line names neither.
  [{ fingerprint: "f" }, true],
  [{ ...work, model: "opus" }, true],
  [{ ...work, model: "claude-opus-4-5[1m]" }, true],
  [{ ...work, model: "inherit" }, true],
  [{ ...work, model: "haiku" }, false],
  [{ ...work, model: "claude-opus-4-1" }, false],
  [{ ...work, branch: "other" }, false],
  [{ ...work, fingerprint: "g" }, false],
])("isSameWork() compares %j by what both say", (other, isSame) => {
  expect([isSameWork(work, other), isSameWork(other, work)]).toEqual([isSame, isSame]);
});

test("isSameWork() knows nothing by a fingerprint that is not known", () => {
  expect(isSameWork({ ...work, fingerprint: "" }, { ...work, fingerprint: "" })).toBe(false);
});

test("groupSameWork() gives those that are more than one, and never two in one group that differ", () => {
  const [opus, haiku, any] = [work, { ...work, model: "haiku" }, { fingerprint: "f" }];
  expect(
    groupSameWork([opus, haiku, any, { fingerprint: "g" }, { fingerprint: "" }, { fingerprint: "" }]),
  ).toEqual([[opus, any]]);
});
