import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { acquireLease, findLeaseHolder } from "../../src/lib/lease.ts";
import { readJson } from "../../src/lib/read-json.ts";
import { homeWithSession, run } from "../e2e/cli.ts";
import { tempDir, testHome } from "../support/index.ts";

// Files and folders that are not what they seem.

const makeFifo = (file: string): void => {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  expect(spawnSync("mkfifo", [file]).status).toBe(0);
};

describe("a named pipe", () => {
  test("as a lease or a small file holds nobody up", () => {
    const file = path.join(tempDir(), "guarded");
    makeFifo(file);
    expect(readJson(file)).toBeUndefined();
    expect(findLeaseHolder(file)).toBeUndefined();
    const lease = acquireLease(file, { subject: "x" });
    expect(findLeaseHolder(file)?.pid).toBe(process.pid);
    lease.release();
    makeFifo(file);
    // Also with somebody at its other end.
    const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
    expect([readJson(file), findLeaseHolder(file)]).toEqual([undefined, undefined]);
    fs.closeSync(fd);
  });

  test("as settings is refused with a sentence, or passed over", async () => {
    const { home } = homeWithSession();
    fs.mkdirSync(home.home, { mode: 0o700 });
    makeFifo(path.join(home.home, "config.json"));
    makeFifo(path.join(home.configDir, "settings.json"));
    const { code, stderr } = await run(["usage"], { home });
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining("Cannot use settings")]);
    expect(await run(["sessions"], { home })).toMatchObject({ code: 0 });
    expect(await run(["plugin", "install", "--user", "--yes"], { home })).toMatchObject({ signal: null });
    expect(await run(["doctor"], { home })).toMatchObject({ signal: null });
  });
});

describe("a link in the home", () => {
  test.each(["projects", "projects/KEY"])("at %s leads no task out of it, and none in", async (where) => {
    const home = testHome();
    const elsewhere = tempDir();
    const key = home.cwd.replace(/[^a-zA-Z0-9]/g, "-");
    const link = path.join(home.home, where.replace("KEY", key));
    fs.mkdirSync(path.dirname(link), { recursive: true, mode: 0o700 });
    fs.symlinkSync(elsewhere, link);
    const { code, stderr } = await run(["run", "--", "true"], { home });
    expect(code).not.toBe(0);
    expect(stderr).toContain("it is a link or not a folder");
    expect(fs.readdirSync(elsewhere)).toEqual([]);
    const tasks = path.join(elsewhere, where === "projects" ? key : "", "tasks");
    fs.mkdirSync(tasks, { recursive: true });
    fs.writeFileSync(path.join(tasks, "b12345678.json"), "{}");
    expect(await run(["ps", "-a", "--json"], { home })).toMatchObject({ code: 0 });
    const doctor = await run(["doctor"], { home });
    expect(doctor.stdout).toContain("✗ home-permissions");
    expect(doctor.stdout).toContain("1 link where a folder of the home should be");
  });
});

describe("a home that everybody may write to", () => {
  test("starts nothing, says so, and is closed by the doctor", async () => {
    const home = testHome();
    fs.mkdirSync(home.home);
    fs.chmodSync(home.home, 0o777);
    const refused = await run(["run", "--", "true"], { home });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("everybody may write to it (mode 777); close it with chmod 700");
    expect((await run(["ps"], { home })).stderr).toContain("everybody may write to");
    expect((await run(["doctor", "--repair", "--yes"], { home })).code).not.toBe(null);
    expect(fs.statSync(home.home).mode & 0o777).toBe(0o700);
    expect(await run(["run", "--wait", "--", "true"], { home })).toMatchObject({ code: 0 });
  });
});
