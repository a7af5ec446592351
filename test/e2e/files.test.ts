import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { homeWithEdits } from "../support/index.ts";
import { homeWithSession, run, runJson } from "./cli.ts";

describe("holdfast files", () => {
  test("lists the snapshots and compares them with now", async () => {
    const { home, sessionId, prompt, edited } = homeWithEdits();
    const { stdout } = await run(["files", sessionId], { home });
    expect(stdout).toContain(prompt.slice(0, 8));
    expect(stdout).toMatch(/4 B {2}a\.txt\n.*not there {2}b\.txt\n/);
    const diff = await run(["files", sessionId, "--diff"], { home });
    expect(diff.code).toBe(0);
    expect(diff.stdout).toContain(`--- ${edited}`);
    expect(diff.stdout).toContain("-old\n+new\n");
    const { json } = await runJson(["files", sessionId, "--diff"], { home });
    expect(json.diffs.map(({ kind }) => kind)).toEqual(["changed", "changed"]);
  });

  test("undoes only when agreed to, and keeps what was there", async () => {
    const { home, sessionId, edited, made } = homeWithEdits();
    const refused = await run(["files", sessionId, "--undo"], { home });
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("--yes") as string });
    const dry = await run(["files", sessionId, "--undo", "--dry-run"], { home });
    expect(dry.stderr).toMatch(/restore .*a\.txt\nremove .*b\.txt\n/);
    expect(fs.readFileSync(edited, "utf8")).toBe("new\n");
    const done = await run(["files", sessionId, "--undo", "--yes"], { home });
    expect(done).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /restored .*\nremoved .*\nOverwritten files are kept in .*undo/,
      ) as string,
    });
    expect([fs.readFileSync(edited, "utf8"), fs.existsSync(made)]).toEqual(["old\n", false]);
    const kept = fs
      .readdirSync(path.join(home.home, "undo"), { recursive: true, encoding: "utf8" })
      .filter((name) => /\d$/.test(path.basename(name)) && !name.includes("."));
    expect(kept.length).toBeGreaterThan(0);
    expect((await run(["files", sessionId, "--undo", "--yes"], { home })).stderr).toContain(
      "Nothing to undo",
    );
  });

  test("never writes through a link, nor to a snapshot that is not there", async () => {
    const { home, sessionId, edited } = homeWithEdits();
    const outside = path.join(home.userHome, "outside.txt");
    fs.writeFileSync(outside, "mine\n");
    fs.rmSync(edited);
    fs.symlinkSync(outside, edited);
    expect(await run(["files", sessionId, "--undo", "--yes"], { home })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("which is not followed") as string,
    });
    expect(fs.readFileSync(outside, "utf8")).toBe("mine\n");
    expect(await run(["files", sessionId, "--diff", "--at", "nope"], { home })).toMatchObject({ code: 3 });
  });

  test("says when a session tracked none", async () => {
    const { home, session } = homeWithSession();
    expect(await run(["files", session.sessionId], { home })).toMatchObject({ code: 0, stdout: "" });
    expect(await run(["files", session.sessionId, "--undo"], { home })).toMatchObject({ code: 3 });
  });
});
