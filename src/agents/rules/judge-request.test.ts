import { describe, expect, test } from "vitest";
import { approvalOf, judge, type PermissionRules } from "./judge-request.ts";
import type { RulePlace } from "./rule-place.ts";

const place: RulePlace = {
  cwd: "/project",
  cwds: ["/project"],
  userHomes: ["/home/me"],
  isCaseBlind: false,
  hasBash: true,
};
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
  approved: [],
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
    ["Bash(echo a; echo b)", bash("echo a; echo b"), false],
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
  ] as const)("%s of %j", async (rule, request, isAllowed) => {
    expect(await judge(request, rules({ allow: [rule] }), place)).toBe(isAllowed ? "allow" : undefined);
  });
});

describe("judge() with several rules", () => {
  test("denies before it asks, and asks before it allows", async () => {
    const all = ["Bash(rm:*)"];
    const approved = ["Bash(rm x)"];
    expect(await judge(bash("rm x"), { allow: all, deny: all, ask: all, approved }, place)).toBe("deny");
    expect(await judge(bash("rm x"), { allow: all, deny: [], ask: all, approved }, place)).toBe("ask");
  });

  test("denies a command of which one part is denied", async () => {
    const request = bash("cd /tmp && rm -rf x");
    expect(await judge(request, rules({ allow: ["Bash"], deny: ["Bash(rm:*)"] }), place)).toBe("deny");
  });
});

describe("what a person has allowed for good", () => {
  const approvedOnly = (command: string): PermissionRules =>
    rules({ approved: [approvalOf(bash(command))!] });

  test.each([
    ["find . -name '*.tmp'", "find . -name 'x' -exec rm -rf / ';' -name '.tmp'"],
    ["make *", "make install"],
    ["git log:*", "git log -p"],
    ["echo (", "echo ( x"],
    ["ls; rm x", "ls; rm x y"],
  ])("is this command, literally: %s, and not %s", async (command, other) => {
    expect(await judge(bash(command), approvedOnly(command), place)).toBe("allow");
    expect(await judge(bash(other), approvedOnly(command), place)).toBe(undefined);
    expect(await judge(bash(`${command} x`), approvedOnly(command), place)).toBe(undefined);
  });

  test("is this tool, when it is no command", async () => {
    expect([approvalOf(bash("make test")), approvalOf(read("a"))]).toEqual(["Bash(make test)", "Read"]);
    expect(await judge(read("b"), rules({ approved: ["Read"] }), place)).toBe("allow");
  });

  test("does not overrule what may be denied, but is not asked again", async () => {
    const request = bash("$x y");
    const deny = ["Bash(rm:*)"];
    expect(await judge(request, rules({ allow: ["Bash"], deny }), place)).toBe("ask");
    expect(await judge(request, rules({ deny, approved: [approvalOf(request)!] }), place)).toBe("allow");
    expect(await judge(bash("rm y"), rules({ deny, approved: ["Bash(rm y)"] }), place)).toBe("deny");
  });
});

describe("a place", () => {
  test("without bash has every command asked about", async () => {
    const without = { ...place, hasBash: false };
    for (const allow of [["Bash"], ["Bash(ls:*)"]])
      expect(await judge(bash("ls"), rules({ allow }), without)).toBe(undefined);
    expect(await judge(bash("ls"), rules({ allow: ["Bash"], deny: ["Bash(rm:*)"] }), without)).toBe("ask");
    expect(await judge(bash("ls"), rules({ deny: ["Bash"] }), without)).toBe("deny");
  });

  test("that is blind to case denies a file in every case", async () => {
    const blind = { ...place, isCaseBlind: true };
    const deny = ["Read(.env)", "Read(./Private/**)"];
    for (const request of [read(".ENV"), read("private/key"), bash("cat .Env"), bash("cat PRIVATE/key")]) {
      expect(await judge(request, rules({ allow: ["Bash", "Read"], deny }), blind)).toBe("deny");
      expect(await judge(request, rules({ allow: ["Bash", "Read"], deny }), place)).toBe("allow");
    }
  });
});
