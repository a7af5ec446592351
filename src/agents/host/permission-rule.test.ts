import { describe, expect, test } from "vitest";
import { judge, ruleFor, type PermissionRules } from "./permission-rule.ts";

const place = { cwd: "/project", userHome: "/home/me" };
const bash = (command: string): { tool: string; input: Record<string, unknown> } => ({
  tool: "Bash",
  input: { command },
});
const read = (file: string): { tool: string; input: Record<string, unknown> } => ({
  tool: "Read",
  input: { file_path: file },
});
const rules = (given: Partial<PermissionRules>): PermissionRules => ({
  allow: [],
  deny: [],
  ask: [],
  ...given,
});

describe("judge() with one rule that allows", () => {
  test.each([
    ["Bash", bash("anything at all; really"), true],
    ["Bash(*)", bash("ls"), true],
    ["Bash(git status)", bash("git status"), true],
    ["Bash(git status)", bash("git status -s"), false],
    ["Bash(git status:*)", bash("git status -s"), true],
    ["Bash(git status:*)", bash("git statusx"), false],
    ["Bash(git status:*)", bash("git status; rm -rf x"), false],
    ["Bash(git status:*)", bash("git status && rm x"), false],
    ["Bash(git status:*)", bash("git status $(rm x)"), false],
    ["Bash(git status:*)", bash("git status `rm x`"), false],
    ["Bash(git status:*)", bash("git status > .bashrc"), false],
    ["Bash(git status:*)", bash("git status\nrm x"), false],
    ["Bash(npm run *)", bash("npm run build"), true],
    ["Bash(npm run *)", bash("npm install"), false],
    ["Bash(echo a; echo b)", bash("echo a; echo b"), true],
    ["Read", read("/etc/passwd"), true],
    ["Read(src/**)", read("/project/src/a/b.ts"), true],
    ["Read(src/**)", read("src/a.ts"), true],
    ["Read(src/**)", read("/project/lib/a.ts"), false],
    ["Read(./.env)", read("/project/.env"), true],
    ["Read(./.env)", read("/project/sub/.env"), false],
    ["Read(.env)", read("/project/sub/.env"), true],
    ["Read(src/*)", read("/project/src/../../etc/passwd"), false],
    ["Read(//etc/*)", read("/etc/passwd"), true],
    ["Read(~/notes/**)", read("/home/me/notes/a/b"), true],
    ["Edit(src/**)", read("src/a.ts"), false],
    ["mcp__github", { tool: "mcp__github__search", input: {} }, true],
    ["mcp__github", { tool: "mcp__githubx__search", input: {} }, false],
    ["WebFetch(domain:example.com)", { tool: "WebFetch", input: { url: "http://example.com/x" } }, true],
    ["WebFetch(domain:example.com)", { tool: "WebFetch", input: { url: "no address" } }, false],
    ["", bash("ls"), false],
  ] as const)("%s of %j", (rule, request, isAllowed) => {
    expect(judge(request, rules({ allow: [rule] }), place)).toBe(isAllowed ? "allow" : undefined);
  });
});

describe("judge() with several rules", () => {
  test("denies before it asks, and asks before it allows", () => {
    const all = ["Bash(rm:*)"];
    expect(judge(bash("rm x"), { allow: all, deny: all, ask: all }, place)).toBe("deny");
    expect(judge(bash("rm x"), { allow: all, deny: [], ask: all }, place)).toBe("ask");
  });

  test("denies a command of which one part is denied", () => {
    const request = bash("cd /tmp && rm -rf x");
    expect(judge(request, rules({ allow: ["Bash"], deny: ["Bash(rm:*)"] }), place)).toBe("deny");
  });
});

test("ruleFor() names this command, or this tool", () => {
  expect([ruleFor(bash("make test")), ruleFor(read("a"))]).toEqual(["Bash(make test)", "Read"]);
});
