import { describe, expect, test } from "vitest";
import { parseFileFilter, parseGlob } from "./glob-pattern.ts";

describe("parseGlob()", () => {
  test.each([
    ["*.ts", "a.ts", true],
    ["*.ts", "src/a.ts", false],
    ["*.ts", "a.tsx", false],
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", "src/deep/a.ts", true],
    ["**", "src/deep/a.ts", true],
    ["**/deep/**", "src/deep/er/a.ts", true],
    ["a?c", "abc", true],
    ["a?c", "a/c", false],
    ["[ab].md", "b.md", true],
    ["[!ab].md", "b.md", false],
    ["[a-c]", "b", true],
    ["[]]", "]", true],
    ["{a,b}.{js,ts}", "b.ts", true],
    ["{a,b}.{js,ts}", "c.ts", false],
    ["{a,{b,c}d}", "cd", true],
    ["a,b", "a,b", true],
    ["a+b(c).$d", "a+b(c).$d", true],
    ["a.c", "abc", false],
    ["\\*", "*", true],
    ["\\*", "a", false],
    [".*rc", ".npmrc", true],
    ["*", ".hidden", true],
    ["ä*", "äöü", true],
  ])("%j and %j: %j", (pattern, file, isMatch) => {
    expect(parseGlob(pattern, { cwd: "/" }).matches(file)).toBe(isMatch);
  });

  test.each([
    ["src/**/*.ts", "/work/src", "a/b.ts"],
    ["src/lib/a.ts", "/work/src/lib", "a.ts"],
    ["/etc/*.conf", "/etc", "a.conf"],
    ["/*.conf", "/", "a.conf"],
    ["../other/*", "/other", "a"],
    ["{src,test}/*.ts", "/work", "test/a.ts"],
  ])("looks for %j below %j", (pattern, root, file) => {
    const glob = parseGlob(pattern, { cwd: "/work" });
    expect(glob.root).toBe(root);
    expect(glob.matches(file)).toBe(true);
  });

  test("takes no longer for a pattern made to hang", () => {
    const glob = parseGlob(`${"*a".repeat(30)}b`, { cwd: "/" });
    const startedAt = performance.now();
    expect(glob.matches("a".repeat(200))).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

test.each([
  ["*.ts", "src/deep/a.ts", true],
  ["*.{ts,md}", "a.md", true],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "lib/src/a.ts", false],
])("parseFileFilter() %j and %j: %j", (pattern, file, isMatch) => {
  expect(parseFileFilter(pattern)(file)).toBe(isMatch);
});
