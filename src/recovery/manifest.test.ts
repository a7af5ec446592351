import fs from "node:fs";
import path from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { endLine, launchLine, seenLine } from "../../test/support/manifest-lines.ts";
import { manifestFileBytesMax } from "./limits.ts";
import { holdfastPaths, projectKey } from "../format/paths.ts";
import { appendManifest } from "./append-manifest.ts";
import { foldManifest, readManifest } from "./read-manifest.ts";
import { tidyManifests } from "./tidy-manifests.ts";

const key = projectKey("/project");
const placeOf = (home: string, now = new Date()): Parameters<typeof appendManifest>[0] => ({
  home,
  projectDirs: ["/project"],
  now,
});

describe("appendManifest()", () => {
  test("writes each line to the project's manifest and to the day's, privately", async () => {
    const home = path.join(tempDir(), "home");
    const line = launchLine();
    await appendManifest(placeOf(home, new Date("2026-11-15T23:59:59Z")), [line]);
    const paths = holdfastPaths(home);
    for (const file of [paths.projectManifestPath(key), paths.manifestPath("2026-11-15")]) {
      expect(fs.readFileSync(file, "utf8")).toBe(`${JSON.stringify(line)}\n`);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(fs.statSync(home).mode & 0o777).toBe(0o700);
  });

  test("begins a new line behind one that a full disk cut short", async () => {
    const home = tempDir();
    const file = holdfastPaths(home).projectManifestPath(key);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '{"timestamp":"2026-');
    await appendManifest(placeOf(home), [launchLine()]);
    expect(readManifest(home, key)).toHaveLength(1);
  });

  test("does not follow a link that somebody planted, and still writes the other manifest", async () => {
    const home = tempDir();
    const paths = holdfastPaths(home);
    const victim = path.join(home, "victim");
    fs.mkdirSync(paths.projectDir(key), { recursive: true });
    fs.symlinkSync(victim, paths.projectManifestPath(key));
    const now = new Date("2026-11-15T00:00:00Z");
    await expect(appendManifest(placeOf(home, now), [launchLine()])).rejects.toMatchObject({ code: "ELOOP" });
    expect([fs.existsSync(victim), fs.existsSync(paths.manifestPath("2026-11-15"))]).toEqual([false, true]);
  });

  test("puts a full manifest aside, and readers go on to see what it held", async () => {
    const home = tempDir();
    const file = holdfastPaths(home).projectManifestPath(key);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const old = launchLine({ agent_id: "b00000002" });
    fs.writeFileSync(file, `${" ".repeat(manifestFileBytesMax)}\n${JSON.stringify(old)}\n`);
    await appendManifest(placeOf(home), [launchLine({ agent_id: "b00000003" })]);
    expect(fs.existsSync(file)).toBe(false);
    await appendManifest(placeOf(home), [launchLine({ agent_id: "b00000004" })]);
    expect(readManifest(home, key).map(({ launch }) => launch.agent_id)).toEqual([
      "b00000002",
      "b00000003",
      "b00000004",
    ]);
  });
});

describe("foldManifest()", () => {
  const launch = launchLine();
  const end = endLine({ result: "done" });
  const seen = seenLine({ session_id: "s-2" });

  test("joins a launch with its ending and with who saw it, in whatever order two hooks wrote them", () => {
    const item = { launch, end, seenBy: ["s-2"] };
    expect(foldManifest([launch, end, seen])).toEqual([item]);
    expect(foldManifest([end, launch, seen])).toEqual([item]);
    expect(foldManifest([end, seen, launch])).toEqual([item]);
  });

  test("begins anew when a task is launched again, and keeps the first of two tellings of one launch", () => {
    const again = launchLine({ timestamp: "2030-01-01T00:00:00.000Z" });
    expect(foldManifest([launch, end, seen, again])).toEqual([{ launch: again, seenBy: [], isRerun: true }]);
    expect(foldManifest([launch, again])).toEqual([{ launch, seenBy: [] }]);
  });

  test("gives a launch that another process of the client has taken over to the session that goes on with it", () => {
    const heir = { ...launch.client!, pid: 4711 };
    const moved = launchLine({
      session_id: "s-2",
      client: heir,
      description: "another",
      output_file: "/moved",
    });
    expect(foldManifest([launch, moved])).toEqual([
      { launch: { ...launch, session_id: "s-2", client: heir, output_file: "/moved" }, seenBy: [] },
    ]);
  });

  test("says nothing of an ending without a launch", () => {
    expect(foldManifest([end, seen])).toEqual([]);
  });
});

test("readManifest() passes over what is no line, and finds nothing where nothing is", () => {
  const home = tempDir();
  const file = holdfastPaths(home).projectManifestPath(key);
  expect(readManifest(home, key)).toEqual([]);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const foreign = [
    '{"a":1}',
    "[]",
    "nonsense",
    '{"timestamp":1}',
    "",
    JSON.stringify({ ...launchLine(), status: "?" }),
  ];
  fs.writeFileSync(file, [...foreign, JSON.stringify(launchLine())].join("\n"));
  expect(readManifest(home, key)).toHaveLength(1);
});

describe("tidyManifests()", () => {
  const day = 24 * 60 * 60 * 1000;

  test("compresses past days so that nothing is lost, and leaves what is written to", async () => {
    const home = tempDir();
    const paths = holdfastPaths(home);
    const now = new Date();
    const line = launchLine();
    for (const age of [0, 3])
      await appendManifest(placeOf(home, new Date(now.getTime() - age * day)), [line]);
    const old = paths.manifestPath(new Date(now.getTime() - 3 * day).toISOString().slice(0, 10));
    fs.utimesSync(old, now.getTime() / 1000 - 3 * 86_400, now.getTime() / 1000 - 3 * 86_400);
    expect(tidyManifests(home, { now })).toEqual({ compressed: [old], removed: [] });
    expect(zstdDecompressSync(fs.readFileSync(`${old}.zst`)).toString()).toBe(`${JSON.stringify(line)}\n`);
    expect(fs.existsSync(old)).toBe(false);
    expect(readManifest(home, key)).toHaveLength(1);
    expect(tidyManifests(home, { now })).toEqual({ compressed: [], removed: [] });
  });

  test("removes what is too old", () => {
    const home = tempDir();
    const dir = holdfastPaths(home).manifestsDir;
    fs.mkdirSync(dir, { recursive: true });
    const file = path.join(dir, "background-2026-01-01.jsonl.zst");
    fs.writeFileSync(file, "x");
    fs.utimesSync(file, 0, 0);
    expect(tidyManifests(home, { now: new Date() })).toEqual({ compressed: [], removed: [file] });
  });

  test("removes the manifest of a project where nothing was launched for too long, in two steps", async () => {
    const home = tempDir();
    const paths = holdfastPaths(home);
    const file = paths.projectManifestPath(key);
    const now = new Date();
    const namesAfter = (days: number): string[] => {
      tidyManifests(home, { now: new Date(now.getTime() + days * day) });
      return fs.readdirSync(paths.projectDir(key));
    };
    await appendManifest(placeOf(home, now), [launchLine()]);
    expect(namesAfter(89)).toEqual(["background.jsonl"]);
    expect(namesAfter(91)).toEqual([expect.stringMatching(/^background\.\d+T\d+Z\.jsonl$/)]);
    expect(fs.existsSync(file)).toBe(false);
    expect(namesAfter(92)).toEqual([]);
  });
});
