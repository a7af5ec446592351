import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { run } from "../e2e/cli.ts";
import { testHome, waitFor, type TestHome } from "../support/index.ts";

// Lines that nobody should have written, beside a session that must not suffer from them.

const LEVELS = 100_000;
const deep = `${"[".repeat(LEVELS)}${"]".repeat(LEVELS)}`;
const bad = "bad00000-0000-4000-8000-000000000000";
const good = "900d0000-0000-4000-8000-000000000000";
const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "prototype", "length"];

type Part = Record<string, unknown>;

function writeSession(home: TestHome, sessionId: string, lines: Part[]): void {
  const dir = path.join(home.configDir, "projects", home.cwd.replace(/[^a-zA-Z0-9]/g, "-"));
  fs.mkdirSync(dir, { recursive: true });
  const uuid = (at: number): string => `${sessionId.slice(0, -4)}${String(at).padStart(4, "0")}`;
  const text = lines.map((line, at) =>
    JSON.stringify({
      uuid: uuid(at),
      parentUuid: at === 0 ? null : uuid(at - 1),
      sessionId,
      cwd: home.cwd,
      version: "2.0.0",
      timestamp: "2026-11-18T10:00:00.000Z",
      ...line,
    }).replaceAll('"@deep"', deep),
  );
  fs.writeFileSync(path.join(dir, `${sessionId}.jsonl`), `${text.join("\n")}\n`);
}

const says = (text: string): Part => ({ type: "user", message: { role: "user", content: text } });
const answers = (model: string, content: unknown[]): Part => ({
  type: "assistant",
  message: {
    id: `m-${model}`,
    type: "message",
    role: "assistant",
    model,
    content,
    usage: { input_tokens: 3, output_tokens: 4 },
  },
});

const nested: Part[] = [
  says("hello"),
  answers("claude-opus-4-6", [
    { type: "text", text: "one" },
    { type: "tool_use", id: "t1", name: "Foo", input: { a: "@deep" } },
  ]),
  {
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "@deep" }] },
    toolUseResult: "@deep",
  },
  { type: "system", subtype: "x", content: "@deep", more: "@deep" },
  { type: "attachment", attachment: "@deep" },
  { type: "user", message: "@deep" },
  { type: "progress", data: "@deep" },
  says("bye"),
];
const named: Part[] = [
  says("hello"),
  ...names.flatMap((name) => [
    answers(name, [{ type: "tool_use", id: `t-${name}`, name, input: { [name]: name } }]),
    {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t-${name}`, content: name }] },
    },
    { type: name, subtype: name, content: name },
    { type: "system", subtype: name, content: name },
    { type: "attachment", attachment: { type: name } },
  ]),
];

const commands = [
  ["show", bad, "--json"],
  ["show", bad],
  ["export", bad, "--format", "json"],
  ["export", bad, "--format", "html"],
  ["export", bad, "--format", "md"],
  ["export", bad, "--format", "html", "--no-redact"],
  ["usage", "--by", "model", "--json"],
  ["usage"],
  ["sessions", "--json"],
  ["search", "kelp", "--json"],
  ["search", "--regex", "ke.p", "--json"],
  ["index"],
  ["search", "kelp", "--json"],
  ["doctor"],
  ["todos", bad],
  ["files", bad],
  ["fork", bad],
  ["recover"],
];

describe.each([
  ["nested 100,000 levels deep", nested],
  ["with the names that every object has", named],
])("a transcript %s", (_, lines) => {
  test("breaks no command, neither for itself nor for others", { timeout: 120_000 }, async () => {
    const home = testHome();
    writeSession(home, bad, lines);
    writeSession(home, good, [says("kelp"), answers("claude-opus-4-6", [{ type: "text", text: "green" }])]);
    for (const args of commands) {
      const { code, stdout, stderr } = await run(args, { home });
      expect([args, code, stderr.includes("Unexpected error")]).toEqual([args, 0, false]);
      expect(args.includes("--json") ? typeof JSON.parse(stdout) : "object").toBe("object");
      expect(args[0] !== "search" || stdout.includes(good)).toBe(true);
    }
  });
});

describe("a regular expression that never ends", () => {
  const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
  const evil = "(a+)+$";
  const withText = (): TestHome => {
    const home = testHome();
    writeSession(home, bad, [says(`${"a".repeat(60)}!`)]);
    return home;
  };

  test("is given up, and it is said", { timeout: 60_000 }, async () => {
    const { code, stderr } = await run(["search", "--regex", evil], { home: withText() });
    expect(code).toBe(2);
    expect(stderr).toContain("it took more than 10 s for a few texts");
  });

  test("ends with Ctrl+C", { timeout: 60_000 }, async () => {
    const home = withText();
    const env = { PATH: "/usr/bin:/bin", HOLDFAST_HOME: home.home, CLAUDE_CONFIG_DIR: home.configDir };
    const child = spawn(process.execPath, [bin, "search", "--regex", evil], {
      env,
      cwd: home.cwd,
      stdio: "ignore",
    });
    // It looks for nothing else that takes a second of the processor.
    await waitFor(() => cpuTicks(child.pid!) > 150);
    const from = performance.now();
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
    expect(performance.now() - from).toBeLessThan(5000);
  });
});

function cpuTicks(pid: number): number {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]!.split(" ");
  return Number(fields[11]);
}
