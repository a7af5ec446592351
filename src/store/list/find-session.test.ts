import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { tempDir } from "../../../test/support/index.ts";
import { findSession, type SessionRef } from "./find-session.ts";

let configDir: string;

beforeEach(() => {
  configDir = tempDir();
});

/** Makes a session; of several the one with the highest `at` is the newest. */
function make(
  sessionId: string,
  { project = "-p", at = 1000 }: { project?: string; at?: number } = {},
): SessionRef {
  const file = path.join(configDir, "projects", project, `${sessionId}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '{"type":"user"}\n');
  fs.utimesSync(file, at, at);
  return { sessionId, projectKey: project, path: file };
}

/** The error's code and fields. */
function refusal(id: string): unknown {
  try {
    return findSession(configDir, id);
  } catch (error) {
    const { code, fields } = error as { code?: string; fields?: object };
    return { code, ...fields };
  }
}

const a = "1b3e0000-1111-4222-8333-444455556666";
const b = "1b3f0000-1111-4222-8333-444455556666";

test("findSession() finds a session by its id, by a prefix that only it has, in any case", () => {
  const [first, second] = [make(a), make(b, { project: "-q" })];
  expect([a, "1b3e", "1B3E0000", "1b3f", b.toUpperCase()].map((id) => findSession(configDir, id))).toEqual([
    first,
    first,
    first,
    second,
    second,
  ]);
});

test("findSession() finds a session whose id is the beginning of another one's", () => {
  const short = make("abcd");
  make("abcdef");
  expect(findSession(configDir, "abcd")).toEqual(short);
});

test("findSession() names the candidates of a prefix that several have, newest first", () => {
  make(a, { at: 1000 });
  make(b, { at: 2000, project: "-q" });
  make("1b3e0000-2222-4222-8333-444455556666", { at: 3000 });
  const candidate = ({ sessionId, projectKey, path: file }: SessionRef): object => ({
    sessionId,
    project: projectKey,
    path: file,
  });
  expect(refusal("1b3e0000")).toEqual({
    code: "session_ambiguous",
    candidates: [candidate(make("1b3e0000-2222-4222-8333-444455556666", { at: 3000 })), candidate(make(a))],
  });
});

test("findSession() does not choose between two projects that have the same id, but a path does", () => {
  const [one, two] = [make(a), make(a, { project: "-q", at: 2000 })] as [SessionRef, SessionRef];
  expect(refusal(a)).toMatchObject({
    code: "session_ambiguous",
    candidates: [{ project: "-q" }, { project: "-p" }],
  });
  expect([findSession(configDir, one.path), findSession(configDir, two.path)]).toEqual([one, two]);
});

test("findSession() names what is near to an id that nobody has", () => {
  make(a);
  make(b, { project: "-q" });
  make("ffffffff-ffff-4fff-8fff-ffffffffffff");
  expect([refusal("1b3d0000"), refusal(a.replace("3e", "e3")), refusal("zzzzzzzz")]).toEqual([
    { code: "session_not_found", id: "1b3d0000", near: [a, b] },
    { code: "session_not_found", id: a.replace("3e", "e3"), near: [a, b] },
    { code: "session_not_found", id: "zzzzzzzz", near: [] },
  ]);
});

test("findSession() names no more than five that are near, and each once", () => {
  for (let i = 0; i < 9; i++) make(`1b3e000${i}`, { project: "-p" });
  make("1b3e0000", { project: "-q" });
  const { near } = refusal("1b3e000x") as { near: string[] };
  expect([near.length <= 5, new Set(near).size === near.length]).toEqual([true, true]);
});

test.each([
  ["nothing", ""],
  ["the folder above", ".."],
  ["a pattern", "*"],
  ["a project", "-p"],
  ["an unknown name", "@first"],
  ["a NUL", "\0"],
  ["a whole novel", "x".repeat(100_000)],
])("findSession() finds nothing for %s", (_what, id) => {
  make(a);
  expect(refusal(id)).toMatchObject({ code: "session_not_found" });
});

test("findSession() finds a transcript by its path, absolute or not, inside the config folder or not", () => {
  const made = make(a);
  const outside = path.join(tempDir(), "my project", "copy of a session.jsonl");
  fs.mkdirSync(path.dirname(outside));
  fs.copyFileSync(made.path, outside);
  expect([
    findSession(configDir, path.relative(process.cwd(), made.path)),
    findSession(configDir, path.join(path.dirname(made.path), "..", "-p", path.basename(made.path))),
    findSession(configDir, outside),
  ]).toEqual([made, made, { sessionId: "copy of a session", projectKey: "my project", path: outside }]);
});

test.each<[string, string, string]>([
  ["a folder", "folder", "not_a_transcript"],
  ["a folder named like a transcript", "folder.jsonl", "not_a_transcript"],
  ["another file", "notes.txt", "not_a_transcript"],
  ["a file without a name", "..jsonl", "not_a_transcript"],
  ["a file named after the folder above", "...jsonl", "not_a_transcript"],
  ["a pipe", "pipe.jsonl", "not_a_transcript"],
  ["a missing file", "nowhere.jsonl", "session_not_found"],
  ["a file in a missing folder", "nowhere/x.jsonl", "session_not_found"],
  ["a file below a file", "notes.txt/x.jsonl", "session_not_found"],
  ["a link in a circle", "circle.jsonl", "session_not_found"],
  ["a link to nothing", "dangling.jsonl", "session_not_found"],
  ["a name that no file can have", `${"x".repeat(5000)}.jsonl`, "session_not_found"],
  ["a name with a NUL", "x\0.jsonl", "session_not_found"],
])("findSession() refuses the path of %s", (_what, name, code) => {
  const dir = tempDir();
  for (const folder of ["folder", "folder.jsonl"]) fs.mkdirSync(path.join(dir, folder));
  for (const file of ["notes.txt", "..jsonl", "...jsonl"])
    fs.writeFileSync(path.join(dir, file), '{"type":"user"}\n');
  fs.symlinkSync("circle.jsonl", path.join(dir, "circle.jsonl"));
  fs.symlinkSync("nowhere.jsonl", path.join(dir, "dangling.jsonl"));
  spawnSync("mkfifo", [path.join(dir, "pipe.jsonl")]);
  expect(refusal(`${dir}/${name}`)).toMatchObject({ code });
});
