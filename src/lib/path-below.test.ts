import { expect, test } from "vitest";
import { pathBelow } from "./path-below.ts";

test.each([
  ["/a", "/a/b/c", "b/c"],
  ["/a", "/a", ""],
  ["/a", "/a/..b", "..b"],
  ["/a", "/ab", undefined],
  ["/a/b", "/a", undefined],
  ["/a/b", "/a/c", undefined],
  ["/a", "/a/../c", undefined],
])("pathBelow(%j, %j) is %j", (dir, file, expected) => {
  expect(pathBelow(dir, file)).toBe(expected);
});
