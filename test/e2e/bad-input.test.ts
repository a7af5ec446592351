import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { sampleSession, testHome, type TestHome } from "../support/index.ts";
import { homeWithSession, run, runJson } from "./cli.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));

function plant(home: TestHome, name: string, content: string | Buffer): string {
  const file = path.join(home.configDir, "projects", "-planted", name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
  return file;
}

// Root may read everything; without these rights it is bound by permissions like anybody else.
const asAnybody = ["setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search"];
const isRoot = process.getuid?.() === 0;
const canDropRights = !isRoot || spawnSync(asAnybody[0] ?? "", ["--version"]).status === 0;

async function runUnprivileged(
  args: string[],
  home: TestHome,
): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const [program = "", ...rest] = [...(isRoot ? asAnybody : []), process.execPath, bin, ...args];
  const { PATH } = process.env;
  const child = spawn(program, rest, {
    cwd: home.cwd,
    env: { PATH, HOME: home.userHome, HOLDFAST_HOME: home.home, CLAUDE_CONFIG_DIR: home.configDir },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  return { code, stdout, stderr };
}

describe("holdfast with bad input", () => {
  test("answers an unknown id with exit 3 and near matches", async () => {
    const { home, session } = homeWithSession();
    const typo = `${session.sessionId.slice(0, 6)}zz`;
    const { code, stdout, stderr } = await run(["show", typo], { home });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toBe(
      `holdfast: Cannot find session "${typo}": no session has this id or prefix\nDid you mean:\n  ${session.sessionId}  8mo  Fix the parser\nRun \`holdfast sessions --all\` to see every session.\n`,
    );
    const { json } = await runJson(["show", typo], { home });
    expect(json).toMatchObject({
      schemaVersion: 1,
      error: { code: "session_not_found", near: [session.sessionId] },
    });
  });

  test("answers an ambiguous prefix with exit 5 and the candidates", async () => {
    const home = testHome();
    const ids = ["aaaa1111-0000-4000-8000-000000000001", "aaaa1111-0000-4000-8000-000000000002"];
    for (const sessionId of ids) sampleSession({ cwd: home.cwd, sessionId }).write(home.configDir);
    const { code, stderr } = await run(["rename", "aaaa1111", "x"], { home });
    expect(code).toBe(5);
    const [, advice, ...lines] = stderr.trimEnd().split("\n");
    expect(advice).toBe("Type more of one of these, or its path:");
    expect(lines.map((line) => line.replace(/ \d+(d|w|mo|y) /, " AGE ")).sort()).toEqual(
      ids.map((id) => `  ${id}  AGE  Fix the parser`),
    );
    const { json } = await runJson(["show", "aaaa"], { home });
    expect(json.error.candidates?.map(({ sessionId }) => sessionId).sort()).toEqual(ids);
  });

  test.each(["show", "export"])("%s says of a file that is not JSONL what it is", async (verb) => {
    const home = testHome();
    const file = plant(home, "letter.jsonl", "Dear reader,\nthis is a letter.\n");
    const { code, stdout, stderr } = await run([verb, "letter"], { home });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `holdfast: Cannot read "${file}" as a session: none of its 2 lines is an entry (byte 0, 12 bytes: not JSON)\n`,
    );
  });

  test("--json still gives the rejections of such a file", async () => {
    const home = testHome();
    plant(home, "letter.jsonl", "Dear reader\n");
    const { code, json } = await runJson(["show", "letter"], { home });
    expect({ code, json }).toMatchObject({
      code: 1,
      json: { entries: [], rejections: [{ offset: 0, length: 11, reason: "not-json" }] },
    });
  });

  test("reads around a run of zero bytes", async () => {
    const { home, session } = homeWithSession();
    fs.appendFileSync(session.path, Buffer.alloc(100_000));
    const { code, stdout, stderr } = await run(["show", session.sessionId], { home });
    expect(code).toBe(0);
    expect(stdout).toContain("❯ Then fix it");
    expect(stderr).toContain("100,000 bytes: zero bytes");
  });

  test("says that a folder is a folder, and what else is not a session", async () => {
    const { home, session } = homeWithSession();
    const folder = path.dirname(session.path);
    expect(await run(["show", folder], { home })).toMatchObject({
      code: 1,
      stderr: `holdfast: Cannot read "${folder}": it is a folder; name a session id or a .jsonl file\n`,
    });
    expect(await run(["show", path.join(folder, "nope.jsonl")], { home })).toMatchObject({ code: 3 });
    expect(await run(["show", "/dev/null"], { home })).toMatchObject({ stdout: "" });
  });

  test.each(["..", "../../etc", "a/../../b", "", "-", "x\u0000y", "\u001b[31m", "x".repeat(5000)])(
    "never takes %j for a session",
    async (id) => {
      const { home } = homeWithSession();
      // The system itself refuses a zero byte in an argument.
      if (id.includes("\u0000")) return;
      const { code, stdout, stderr } = await run(["show", "--", id], { home });
      expect([1, 2, 3]).toContain(code);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/^holdfast: Cannot /);
      expect(stderr).not.toMatch(/\u001b|\n {4}at /);
    },
  );

  test("leaves a folder name with `..` and files of other programs alone", async () => {
    const { home, session } = homeWithSession();
    for (const name of ["..evil", "a..b", "..."]) {
      fs.mkdirSync(path.join(home.configDir, "projects", name), { recursive: true });
    }
    fs.writeFileSync(path.join(home.configDir, "projects", "stray.jsonl"), "{}\n");
    fs.writeFileSync(path.join(path.dirname(session.path), "notes.txt"), "mine");
    const { json } = await runJson(["sessions", "--all"], { home });
    expect(json.sessions.map(({ sessionId }) => sessionId)).toEqual([session.sessionId]);
  });

  test("does not write through a planted link", async () => {
    const { home, session } = homeWithSession();
    const target = path.join(home.userHome, "target.jsonl");
    fs.copyFileSync(session.path, target);
    const before = fs.readFileSync(target);
    fs.rmSync(session.path);
    fs.symlinkSync(target, session.path);
    for (const args of [
      ["rename", session.sessionId, "x"],
      ["tag", session.sessionId, "x"],
    ]) {
      expect(await run(args, { home })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^holdfast: Cannot write .*it is a link/) as string,
      });
    }
    expect(fs.readFileSync(target)).toEqual(before);
  });

  test("does not use a home that is a link", async () => {
    const { home, session } = homeWithSession();
    const elsewhere = path.join(home.userHome, "elsewhere");
    fs.mkdirSync(elsewhere);
    fs.mkdirSync(home.home);
    fs.symlinkSync(elsewhere, path.join(home.home, "trash"));
    fs.symlinkSync(elsewhere, path.join(home.home, "leases"));
    expect(await run(["rm", session.sessionId], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^holdfast: Cannot /) as string,
    });
    expect(fs.existsSync(session.path)).toBe(true);
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });

  test.runIf(canDropRights)("says which folder it may not read, and lists the rest", async () => {
    const { home, session } = homeWithSession();
    const closed = path.join(home.configDir, "projects", "-closed");
    fs.mkdirSync(closed, { mode: 0o000 });
    const { code, stdout, stderr } = await runUnprivileged(["sessions", "--all"], home);
    expect(code).toBe(0);
    expect(stdout).toContain(session.sessionId.slice(0, 8));
    expect(stderr).toContain(`holdfast: Cannot read folder "${closed}": no permission`);
  });

  test.runIf(canDropRights)("says that a transcript may not be read", async () => {
    const { home, session } = homeWithSession();
    fs.chmodSync(session.path, 0o000);
    const { code, stdout, stderr } = await runUnprivileged(["show", session.sessionId], home);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`holdfast: Cannot read "${session.path}": no permission; check its owner and mode\n`);
  });

  test("answers wrong usage with exit 2 and what is near", async () => {
    const home = testHome();
    const cases: [args: string[], said: string][] = [
      [["sesions"], "Unknown command 'sesions' (Did you mean sessions?)"],
      [["show", "x", "--limt", "3"], "Unknown option '--limt' (Did you mean --limit?)"],
      [["show"], "Missing required argument 'id'"],
      [["show", "x", "y"], "Too many arguments"],
      [["show", "x", "--limit", "0"], "It must be a whole number above 0."],
      [["show", "x", "--since", "soon"], "It must be a day"],
      [["show", "x", "--role", "boss"], "Allowed choices are user, assistant."],
      [["show", "x", "--raw", "--context"], "cannot be used with"],
      [["export", "x", "--format", "pdf"], "Allowed choices are md, html, json, anthropic, ai-sdk."],
      [["--frobnicate"], "--frobnicate"],
    ];
    for (const [args, said] of cases) {
      const { code, stdout, stderr } = await run(args, { home });
      expect({
        args,
        code,
        stdout,
        isSaid: stderr.startsWith("holdfast: ") && stderr.includes(said),
      }).toEqual({ args, code: 2, stdout: "", isSaid: true });
      expect(stderr).toMatch(/Run `holdfast .*--help`/);
    }
    const { code, json } = await runJson(["shwo"], { home });
    expect({ code, error: json.error.code }).toEqual({ code: 2, error: "usage" });
  });

  test("shows a stack only when asked to", async () => {
    const home = testHome();
    expect((await run(["show", "nope"], { home })).stderr).not.toContain("    at ");
    expect((await run(["show", "nope"], { home, env: { HOLDFAST_DEBUG: "1" } })).stderr).toContain("    at ");
  });
});
