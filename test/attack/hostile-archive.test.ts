import fs from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { isArchivedLink, type ArchiveManifest } from "../../src/store/archive/archive-manifest.ts";
import { eachManifest } from "../../src/store/archive/archived-copies.ts";
import { verifyArchive } from "../../src/store/archive/verify-archive.ts";
import { homeWithSession, run } from "../e2e/cli.ts";
import type { TestHome } from "../support/index.ts";
import { attackSize, reportAttack } from "./attack-size.ts";

// An archive that was damaged on the disk: what is lost is said, by name, and the rest is there.

/** Every byte with `npm run test:attack`, some of them otherwise. */
const step = attackSize({ small: 13, full: 1 });

async function archived(): Promise<{ home: TestHome; pack: string; whole: Buffer }> {
  const { home, session } = homeWithSession();
  expect(await run(["archive", "add", session.sessionId, "--yes"], { home })).toMatchObject({ code: 0 });
  const dir = path.join(home.home, "archive");
  const pack = path.join(
    dir,
    fs.readdirSync(dir).find((name) => name.endsWith(".pack.zst"))!,
  );
  return { home, pack, whole: fs.readFileSync(pack) };
}

describe("archive verify", () => {
  test("says that everything is as it was archived", async () => {
    const { home } = await archived();
    const { code, stderr } = await run(["archive", "verify"], { home });
    expect([code, stderr]).toEqual([0, expect.stringContaining("everything is as it was archived")]);
    expect((await run(["doctor"], { home })).stdout).toContain("1 archived session can be found");
  });

  test("finds every byte that changes anything, wherever it is", { timeout: 600_000 }, async () => {
    const { pack, whole } = await archived();
    const dir = path.dirname(pack);
    const read = (): unknown[] =>
      [...eachManifest({ archiveDir: dir })].map(({ manifest }) => withoutPlace(manifest));
    const wanted = read();
    fs.rmSync(pack);
    let found = 0;
    const unseen: number[] = [];
    for (let at = 0; at < whole.length; at += step) {
      const broken = Buffer.from(whole);
      broken[at]! ^= 1 << (at % 8);
      // What was read of a pack is remembered by its name and time; this is another one.
      const file = path.join(dir, `${at}.pack.zst`);
      fs.writeFileSync(file, broken);
      const { problems } = verifyArchive(dir);
      found += problems.length > 0 ? 1 : 0;
      // Some bits of a frame's head mean nothing: then everything is as it was.
      if (problems[0]?.path !== file && !isDeepStrictEqual(read(), wanted)) unseen.push(at);
      fs.rmSync(file);
    }
    expect(unseen).toEqual([]);
    expect(found).toBeGreaterThan(whole.length / step / 2);
    reportAttack("archive", { "bytes changed": Math.ceil(whole.length / step), found });
  });

  test.each([0, 0.3, 0.7, 0.99])("and the doctor tell of a pack that ends after %d of it", async (part) => {
    const { home, pack, whole } = await archived();
    fs.writeFileSync(pack, whole.subarray(0, Math.floor(whole.length * part)));
    expect((await run(["archive", "verify"], { home })).code).toBe(1);
    const { stdout } = await run(["doctor"], { home });
    expect(stdout).toContain("✗ archive");
    expect(stdout).toContain("1 part of the archive cannot be read");
    for (const command of ["sessions", "usage", "archive list"])
      expect((await run(command.split(" "), { home })).stderr).toContain("Cannot read archived file");
  });

  test.each([undefined, '{"sess', "[]", '{"sessionId":"../x","project":"p","summary":{},"items":[]}'])(
    "and the doctor tell of a folder with the manifest %j",
    async (manifest) => {
      const { home } = await archived();
      const dir = path.join(home.home, "archive", "5e551011-0000-4000-8000-000000000000.mabc-00ff");
      fs.mkdirSync(path.join(dir, "files"), { recursive: true });
      if (manifest !== undefined) fs.writeFileSync(path.join(dir, "manifest.json"), manifest);
      const { code, stdout } = await run(["archive", "verify", "--json"], { home });
      expect([code, JSON.parse(stdout)]).toMatchObject([1, { sessions: 1, problems: [{ path: dir }] }]);
      expect((await run(["doctor"], { home })).stdout).toContain("✗ archive");
    },
  );
});

function withoutPlace(manifest: ArchiveManifest): object {
  const items = manifest.items.map((item) => (isArchivedLink(item) ? item : { ...item, packed: "" }));
  return { ...manifest, items };
}
