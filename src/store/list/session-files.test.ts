import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { crashAt } from "../../../test/support/crash-at.ts";
import { sampleSession, tempDir } from "../../../test/support/index.ts";
import { nodeFileOps, type FileOps } from "../../lib/file-ops.ts";
import { configCompanions, isSameFile, moveTo, projectCompanions } from "./session-files.ts";

let dir: string;
let from: string;
let to: string;

beforeEach(() => {
  dir = tempDir();
  from = path.join(dir, "here", "a");
  to = path.join(dir, "there", "deep", "b");
  fs.mkdirSync(path.dirname(from));
});

/** Every file below a folder with what it holds. */
function contents(of: string): Record<string, string> {
  const names = fs.readdirSync(of, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names
      .map((name): [string, fs.Stats] => [name, fs.lstatSync(path.join(of, name))])
      .filter(([, stat]) => !stat.isDirectory())
      .map(([name, stat]) => [
        name,
        stat.isSymbolicLink()
          ? `-> ${fs.readlinkSync(path.join(of, name))}`
          : fs.readFileSync(path.join(of, name), "utf8"),
      ]),
  );
}

function makeFolder(at: string): void {
  fs.mkdirSync(path.join(at, "inner"), { recursive: true });
  fs.writeFileSync(path.join(at, "x"), "x");
  fs.writeFileSync(path.join(at, "inner", "y"), "y");
  fs.symlinkSync("/nowhere", path.join(at, "link"));
}

// Links and renames across file systems fail; those within one folder do not.
const acrossFileSystems: FileOps = {
  ...nodeFileOps,
  linkSync: (one, other) => within(one, other, () => fs.linkSync(one, other)),
  renameSync: (one, other) => within(one, other, () => fs.renameSync(one, other)),
};
function within(one: fs.PathLike, other: fs.PathLike, act: () => void): void {
  if (path.dirname(String(one)) !== path.dirname(String(other)))
    throw Object.assign(new Error("EXDEV: cross-device link"), { code: "EXDEV" });
  act();
}

test.each([
  ["on one file system", nodeFileOps],
  ["to another file system", acrossFileSystems],
])("moveTo() moves a file and a folder with its links %s", (_where, files) => {
  fs.writeFileSync(from, "file");
  moveTo(from, to, files);
  makeFolder(from);
  moveTo(from, `${to}2`, files);
  expect([contents(path.dirname(to)), contents(path.dirname(from))]).toEqual([
    { b: "file", "b2/x": "x", "b2/inner/y": "y", "b2/link": "-> /nowhere" },
    {},
  ]);
});

test.each([
  ["on one file system", nodeFileOps],
  ["to another file system", acrossFileSystems],
])("moveTo() replaces nothing %s", (_where, files) => {
  fs.writeFileSync(from, "new");
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.writeFileSync(to, "old");
  expect(() => moveTo(from, to, files)).toThrow(expect.objectContaining({ code: "EEXIST" }));
  makeFolder(`${from}2`);
  makeFolder(`${to}2`);
  fs.writeFileSync(path.join(`${to}2`, "x"), "old");
  expect(() => moveTo(`${from}2`, `${to}2`, files)).toThrow(/EEXIST|ENOTEMPTY/);
  expect([contents(path.dirname(from)), contents(path.dirname(to))]).toEqual([
    { a: "new", "a2/x": "x", "a2/inner/y": "y", "a2/link": "-> /nowhere" },
    { b: "old", "b2/x": "old", "b2/inner/y": "y", "b2/link": "-> /nowhere" },
  ]);
});

test("moveTo() loses nothing wherever it is cut off, and the same call again finishes it", () => {
  for (const make of [(at: string) => fs.writeFileSync(at, "file"), makeFolder]) {
    for (let n = 1; ; n++) {
      make(from);
      const whole = contents(dir);
      const { files, calls } = crashAt(n);
      let failure: unknown;
      try {
        moveTo(from, to, files);
      } catch (error) {
        failure = error;
      }
      expect(Object.values(contents(dir)), `call ${n}`).toEqual(expect.arrayContaining(Object.values(whole)));
      if (fs.existsSync(from)) moveTo(from, to);
      expect(
        [Object.values(contents(path.dirname(to))).sort(), contents(path.dirname(from))],
        `call ${n}`,
      ).toEqual([Object.values(whole).sort(), {}]);
      fs.rmSync(to, { recursive: true });
      if (failure !== undefined) continue;
      expect(n).toBe(calls() + 1);
      break;
    }
  }
});

test("moveTo() leaves no half copy when a copy to another file system fails", () => {
  makeFolder(from);
  const files: FileOps = {
    ...acrossFileSystems,
    fsyncSync: () => {
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    },
  };
  expect(() => moveTo(from, to, files)).toThrow("ENOSPC");
  expect([contents(from), fs.readdirSync(path.dirname(to))]).toEqual([
    { x: "x", "inner/y": "y", link: "-> /nowhere" },
    [],
  ]);
});

test("isSameFile() is true of two names of one file only", () => {
  fs.writeFileSync(from, "same");
  fs.linkSync(from, `${from}2`);
  fs.copyFileSync(from, `${from}3`);
  expect([
    isSameFile(from, `${from}2`),
    isSameFile(from, `${from}3`),
    isSameFile(from, "/nowhere"),
    isSameFile("/nowhere", "/nowhere"),
  ]).toEqual([true, false, false, false]);
});

test("projectCompanions() and configCompanions() name everything of a session, and nothing of another", () => {
  const configDir = tempDir();
  const session = sampleSession().write(configDir);
  const other = sampleSession({ seed: "other" }).write(configDir);
  const project = path.dirname(session.path);
  const own = [
    `todos/${session.sessionId}-agent-${session.sessionId}.json`,
    `todos/${session.sessionId}-agent-a1.json`,
    `tasks/${session.sessionId}/1.json`,
    `file-history/${session.sessionId}/x@v1`,
    `session-env/${session.sessionId}/env`,
    `mcp-outputs/${session.sessionId}/out.json`,
  ];
  for (const name of [...own, ...own.map((each) => each.replaceAll(session.sessionId, other.sessionId))]) {
    fs.mkdirSync(path.dirname(path.join(configDir, name)), { recursive: true });
    fs.writeFileSync(path.join(configDir, name), "");
  }
  const line = (sessionId: string): string => `${JSON.stringify({ type: "user", sessionId })}\n`;
  fs.writeFileSync(path.join(project, "agent-11111111.jsonl"), line(session.sessionId));
  fs.writeFileSync(path.join(project, "agent-22222222.jsonl"), line(other.sessionId));
  expect([projectCompanions(session), configCompanions(configDir, session.sessionId)]).toEqual([
    [path.join(project, session.sessionId), path.join(project, "agent-11111111.jsonl")],
    expect.arrayContaining([
      ...own.slice(0, 2).map((name) => path.join(configDir, name)),
      ...own.slice(2).map((name) => path.dirname(path.join(configDir, name))),
    ]),
  ]);
  expect(configCompanions(configDir, session.sessionId).length).toBe(own.length);
  // Names that look as if they were of two sessions.
  fs.writeFileSync(path.join(configDir, "todos/x-agent-agent-y.json"), "");
  expect(["x", "x-agent", "x-agent-agent"].map((id) => configCompanions(configDir, id).length)).toEqual([
    1, 1, 0,
  ]);
});
