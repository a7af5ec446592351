import { basename, join, relative, sep } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  configPaths,
  holdfastPaths,
  isSafeName,
  projectKey,
  projectKeyMatches,
  projectSettingsFiles,
} from "./paths.ts";

const longPath = `/home/user/${"deep/".repeat(50)}end`;
const sessionId = "f6b7329a-914c-4f62-8090-4e29b032b173";

describe("projectKey()", () => {
  test.each([
    ["/home/user/project", "-home-user-project"],
    ["/a/b.c", "-a-b-c"],
    ["/a/b-c", "-a-b-c"],
    ["C:\\x", "C--x"],
    ["/tmp/grün", "-tmp-gr-n"],
    ["/tmp/😀", "-tmp---"],
    ["", ""],
    [`/${"x".repeat(199)}`, `-${"x".repeat(199)}`],
  ])("turns %j into %j", (cwd, key) => {
    expect(projectKey(cwd)).toBe(key);
  });

  test("cuts a key over 200 characters and adds the hash of the whole path", () => {
    const key = projectKey(longPath);
    expect(key.slice(0, 200)).toBe(longPath.replace(/[^A-Za-z0-9]/g, "-").slice(0, 200));
    expect(key.slice(200)).toMatch(/^-[0-9a-z]{1,6}$/);
    expect(projectKey(`${longPath}2`)).not.toBe(key);
  });

  test("hashes over-long paths as a signed 32-bit string hash does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 201, maxLength: 300 }), (path) => {
        expect(projectKey(path).slice(201)).toBe(referenceHash(path));
      }),
    );
  });

  test("always makes a safe name of a non-empty path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 400 }), (path) => {
        expect(isSafeName(projectKey(path))).toBe(true);
      }),
    );
  });
});

describe("projectKeyMatches()", () => {
  const key = projectKey(longPath);
  test.each([
    ["-home-user-project", "/home/user/project", true],
    ["-home-user-project2", "/home/user/project", false],
    [key, longPath, true],
    [`${key.slice(0, 200)}-otherhash`, longPath, true],
    [key.slice(0, 200), longPath, false],
    [key.slice(0, 201), longPath, false],
    [`${key.slice(0, 199)}x-abc`, longPath, false],
    [`${key.slice(0, 200)}x`, longPath, false],
    [`-home-user-project-abc`, "/home/user/project", false],
  ])("matches %j to %j: %j", (folder, cwd, expected) => {
    expect(projectKeyMatches(folder, cwd)).toBe(expected);
  });
});

describe("isSafeName()", () => {
  test.each([
    ["plain", true],
    ["a..b", true],
    ["...", true],
    [".hidden", true],
    ["x".repeat(255), true],
    ["ü".repeat(127), true],
    ["ü".repeat(128), false],
    ["x".repeat(256), false],
    ["", false],
    [".", false],
    ["..", false],
    ["a/b", false],
    ["a\\b", false],
    ["a\0b", false],
  ])("answers for %j: %j", (name, expected) => {
    expect(isSafeName(name)).toBe(expected);
  });
});

describe("configPaths()", () => {
  const paths = configPaths("/c");
  const ref = { projectKey: "-p", sessionId };

  test("gives the client's layout", () => {
    expect({
      projects: paths.projectsDir,
      project: paths.projectDir("-p"),
      transcript: paths.transcriptPath(ref),
      session: paths.sessionDir(ref),
      subagents: paths.subagentsDir(ref),
      nested: paths.nestedAgentPath({ ...ref, agentId: "a1" }),
      meta: paths.nestedAgentMetaPath({ ...ref, agentId: "a1" }),
      toolResults: paths.toolResultsDir(ref),
      todos: paths.todosPath({ sessionId, agentId: sessionId }),
      todosDir: paths.todosDir,
      taskLists: paths.taskListsDir,
      taskList: paths.taskListDir("shared"),
      plans: paths.plansDir,
      fileHistoryRoot: paths.fileHistoryRootDir,
      fileHistory: paths.fileHistoryDir(sessionId),
      history: paths.historyFile,
      sessionEnvRoot: paths.sessionEnvRootDir,
      sessionEnv: paths.sessionEnvDir(sessionId),
      settings: paths.settingsFile,
      mcpOutputsRoot: paths.mcpOutputsRootDir,
      mcpOutputs: paths.mcpOutputsDir(sessionId),
    }).toEqual({
      projects: join("/c", "projects"),
      project: join("/c", "projects", "-p"),
      transcript: join("/c", "projects", "-p", `${sessionId}.jsonl`),
      session: join("/c", "projects", "-p", sessionId),
      subagents: join("/c", "projects", "-p", sessionId, "subagents"),
      nested: join("/c", "projects", "-p", sessionId, "subagents", "agent-a1.jsonl"),
      meta: join("/c", "projects", "-p", sessionId, "subagents", "agent-a1.meta.json"),
      toolResults: join("/c", "projects", "-p", sessionId, "tool-results"),
      todos: join("/c", "todos", `${sessionId}-agent-${sessionId}.json`),
      todosDir: join("/c", "todos"),
      taskLists: join("/c", "tasks"),
      taskList: join("/c", "tasks", "shared"),
      plans: join("/c", "plans"),
      fileHistoryRoot: join("/c", "file-history"),
      fileHistory: join("/c", "file-history", sessionId),
      history: join("/c", "history.jsonl"),
      sessionEnvRoot: join("/c", "session-env"),
      sessionEnv: join("/c", "session-env", sessionId),
      settings: join("/c", "settings.json"),
      mcpOutputsRoot: join("/c", "mcp-outputs"),
      mcpOutputs: join("/c", "mcp-outputs", sessionId),
    });
  });

  test("throws on a name that would leave its folder", () => {
    expect(() => paths.projectDir("..")).toThrow(RangeError);
    expect(() => paths.transcriptPath({ projectKey: "-p", sessionId: "../x" })).toThrow(
      'Cannot use "../x" in a path: not a single file name',
    );
    expect(() => paths.transcriptPath({ projectKey: "-p", sessionId: "" })).toThrow(RangeError);
    expect(() => paths.taskListDir("a/../../b")).toThrow(RangeError);
  });

  test("never gives a path outside the folder it belongs to, whatever the names", () => {
    const name = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom("..", ".", "../..", "a/../..", "..\\..", "/etc", "\0", "C:"),
    );
    fc.assert(
      fc.property(name, name, (first, second) => {
        for (const build of [
          (): string => paths.nestedAgentPath({ projectKey: first, sessionId: second, agentId: first }),
          (): string => paths.todosPath({ sessionId: first, agentId: second }),
          (): string => paths.taskListDir(first),
          (): string => holdfastPaths("/c").tasksDir(first),
          (): string => holdfastPaths("/c").manifestPath(second),
        ]) {
          expect(relative("/c", pathOrBase(build)).split(sep)).not.toContain("..");
        }
      }),
    );
  });
});

test("projectSettingsFiles() names the shared and the local file", () => {
  expect(projectSettingsFiles("/w")).toEqual({
    shared: join("/w", ".claude", "settings.json"),
    local: join("/w", ".claude", "settings.local.json"),
  });
});

test.each(["/", "/a/", "/a//b", "/a/../b", "rel/ative/", "..", ".", ""])(
  "configPaths() and holdfastPaths() lead below %j as join() does",
  (dir) => {
    expect([
      configPaths(dir).todosDir,
      configPaths(dir).projectDir("p"),
      holdfastPaths(dir).indexDir,
    ]).toEqual([join(dir, "todos"), join(dir, "projects", "p"), join(dir, "index")]);
  },
);

test("holdfastPaths() gives the layout of our own home", () => {
  const paths = holdfastPaths("/h");
  expect({
    project: paths.projectDir("-p"),
    tasks: paths.tasksDir("-p"),
    projectManifest: paths.projectManifestPath("-p"),
    manifest: paths.manifestPath("2026-11-15"),
  }).toEqual({
    project: join("/h", "projects", "-p"),
    tasks: join("/h", "projects", "-p", "tasks"),
    projectManifest: join("/h", "projects", "-p", "background.jsonl"),
    manifest: join("/h", "manifests", "background-2026-11-15.jsonl"),
  });
  expect(
    [paths.projectsDir, paths.manifestsDir, paths.indexDir, paths.archiveDir, paths.trashDir]
      .concat(paths.leasesDir, paths.configFile)
      .map((path) => basename(path)),
  ).toEqual(["projects", "manifests", "index", "archive", "trash", "leases", "config.json"]);
});

/** The built path, or the folder itself when the names were refused. */
function pathOrBase(build: () => string): string {
  try {
    return build();
  } catch (error) {
    if (error instanceof RangeError) return "/c";
    throw error;
  }
}

/** The same hash in arbitrary precision, cut to 32 bits at every step. */
function referenceHash(path: string): string {
  let hash = 0n;
  for (let at = 0; at < path.length; at += 1) {
    hash = BigInt.asIntN(32, hash * 31n + BigInt(path.charCodeAt(at)));
  }
  return (hash < 0n ? -hash : hash).toString(36);
}
