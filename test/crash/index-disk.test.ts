import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { holdfast, sampleSession, testHome, waitFor, type TestHome } from "../support/index.ts";
import { canMount, fillDisk, freeDisk, remountDisk, smallDisk } from "../support/small-disk.ts";

const isMountable = canMount();

/** A config folder with one session, and a home on a disk of its own. */
function worldOn(disk: { dir: string }): TestHome & { file: string } {
  const home = { ...testHome(), home: path.join(disk.dir, "state") };
  const { path: file } = sampleSession({ cwd: home.cwd }).write(home.configDir);
  return { ...home, file };
}

/** What two commands that use the index say of the sessions, and what they say of the index. */
async function ask(home: TestHome): Promise<{ messages: number; status: string; said: string }> {
  const listed = await holdfast(["sessions", "--all", "--json"], { home });
  const checked = await holdfast(["doctor", "--json"], { home });
  const { sessions } = JSON.parse(listed.stdout) as { sessions: { messageCount: number }[] };
  const { checks } = JSON.parse(checked.stdout) as { checks: { name: string; status: string }[] };
  return {
    messages: sessions[0]!.messageCount,
    status: checks.find(({ name }) => name === "foreign-lines")!.status,
    said: listed.stderr,
  };
}

describe.skipIf(!isMountable)("a list and the doctor", () => {
  test("answer on a full disk, say that the index is of no use, and use it when there is room again", async () => {
    using disk = smallDisk(400);
    const home = worldOn(disk);
    const first = await ask(home);
    fs.appendFileSync(home.file, '{"type":"user"}\nnonsense\n');
    const truth = { messages: first.messages + 1, status: "fail" };
    const said: string[] = [];
    // Without any room it cannot even be read; with a little, not written.
    for (const leave of [0, 9]) {
      fillDisk(disk.dir, { leave });
      const full = await ask(home);
      expect(full).toMatchObject(truth);
      said.push(full.said);
      freeDisk(disk.dir);
    }
    expect(said).toEqual([
      expect.stringContaining("The index cannot be read."),
      expect.stringContaining("The index cannot be written"),
    ]);
    expect(await ask(home)).toEqual({ ...truth, said: "" });
  });

  test("answer where there is no room to make the index", async () => {
    using disk = smallDisk(64);
    const home = worldOn(disk);
    fs.mkdirSync(home.home, { mode: 0o700 });
    fillDisk(disk.dir, { leave: 0 });
    expect((await ask(home)).said).toContain("The index cannot be written");
  });

  test("answer on a read-only disk, and say so", async () => {
    using disk = smallDisk(400);
    const home = worldOn(disk);
    const first = await ask(home);
    fs.appendFileSync(home.file, '{"type":"user"}\n');
    await waitFor(() => remountDisk(disk.dir, "ro"));
    const readOnly = await ask(home);
    expect(readOnly).toMatchObject({ messages: first.messages + 1, status: "ok" });
    expect(readOnly.said).toMatch(/The index cannot be (read|written)/);
    remountDisk(disk.dir, "rw");
    expect((await ask(home)).said).toBe("");
  });
});
