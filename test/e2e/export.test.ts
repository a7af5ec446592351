import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { testHome, TranscriptBuilder } from "../support/index.ts";
import { homeWithSession, run, runJson } from "./cli.ts";

// In parts, so that nobody's scanner takes this file for a leak.
const token = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

describe("holdfast export", () => {
  test("writes a page for its owner only, and says where", async () => {
    const { home, session } = homeWithSession();
    const { code, stdout, stderr } = await run(
      ["export", session.sessionId, "--format", "html", "-o", "talk.html"],
      { home },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toMatch(/Wrote .*talk\.html \(/);
    const file = path.join(home.cwd, "talk.html");
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(file, "utf8")).toMatch(
      /<h1>Fix the parser<\/h1>[\s\S]*compacted \(auto, 150k tokens\)/,
    );
  });

  test("replaces nothing unless told to, and never follows a link", async () => {
    const { home, session } = homeWithSession();
    const file = path.join(home.cwd, "talk.md");
    fs.writeFileSync(file, "mine");
    fs.symlinkSync(file, path.join(home.cwd, "link.md"));
    const args = ["export", session.sessionId, "-o"];
    expect(await run([...args, "talk.md"], { home })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("--force") as string,
    });
    expect(await run([...args, "link.md"], { home })).toMatchObject({ code: 5 });
    expect(await run([...args, "link.md", "--force"], { home })).toMatchObject({ code: 0 });
    expect(fs.readFileSync(file, "utf8")).toBe("mine");
    expect(await run([...args, "."], { home })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it is a folder") as string,
    });
    expect(await run([...args, "no/such/dir/talk.md"], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^holdfast: Cannot open .*no such file or folder\n$/) as string,
    });
    expect(fs.readdirSync(home.cwd).sort()).toEqual(["link.md", "talk.md"]);
  });

  test("takes secrets out unless told to keep them, and counts them", async () => {
    const home = testHome();
    const builder = new TranscriptBuilder({ cwd: home.cwd });
    builder.prompt(`My token is ${token}`);
    builder.callTools({ name: "Bash", input: { command: "env" }, result: `GITHUB_TOKEN=${token}` });
    const { sessionId } = builder.write(home.configDir);
    for (const format of ["md", "html", "json"]) {
      const { stdout, stderr } = await run(["export", sessionId, "--format", format], { home });
      expect(stdout).not.toContain(token);
      expect(stdout).toContain("[redacted github]");
      expect(stderr).toMatch(/Redacted 3 secrets; --no-redact keeps them\./);
    }
    expect((await run(["export", sessionId, "--no-redact"], { home })).stdout).toContain(token);
  });

  test("--format json holds the same entries as show, and --json with a file reports it", async () => {
    const { home, session } = homeWithSession();
    const exported = await runJson(["export", session.sessionId], { home });
    const shown = await runJson(["show", session.sessionId], { home });
    expect(exported.json.entries).toEqual(shown.json.entries);
    const { json } = await runJson(["export", session.sessionId, "-o", "talk.md"], {
      home,
    });
    const file = path.join(home.cwd, "talk.md");
    expect(json).toEqual({
      schemaVersion: 1,
      sessionId: session.sessionId,
      format: "md",
      path: file,
      bytes: fs.statSync(file).size,
      redacted: 0,
    });
  });
});
