import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { configPaths, projectKey } from "../../src/format/paths.ts";
import { currentProcess, type ProcessIdentity } from "../../src/lib/process-identity.ts";
import { taskFiles } from "../../src/tasks/record/task-files.ts";
import { testHome, threeQuestions, type TestHome, type TranscriptBuilder } from "../support/index.ts";
import { run, runJson } from "./cli.ts";

interface DoctorAnswer {
  status: string;
  checks: { name: string; status: string; summary: string; mend: string | null; findings: Found[] }[];
  repairs: { path: string; text: string }[];
  repaired: { path: string }[];
  failed: { path: string }[];
  backup: string | null;
  error: { code: string };
}

interface Found {
  text: string;
  path?: string;
  sessionId?: string;
  taskId?: string;
}

async function doctor(
  home: TestHome,
  ...args: string[]
): Promise<{ code: number | null; json: DoctorAnswer }> {
  const { code, json } = await runJson(["doctor", ...args], { home });
  return { code, json: json as unknown as DoctorAnswer };
}

function talk(cwd: string, seed: string): TranscriptBuilder {
  return threeQuestions({ cwd, seed, startedAt: new Date(Date.now() - 3_600_000).toISOString() });
}

// Lines: 0 question, 1 answer, 2 question, 3 tool use, 4 result, 5 answer, 6 question, 7 answer.
const lineDamages: Record<string, ((lines: string[]) => string[])[]> = {
  "torn-lines": [
    (lines) => [...lines, lines[7]!.slice(0, 60)],
    (lines) => lines.with(7, lines[7]!.slice(0, -9)),
    (lines) => lines.with(1, lines[1]!.slice(0, 200)),
  ],
  "glued-lines": [
    (lines) => lines.with(2, lines[2]! + lines[3]).toSpliced(3, 1),
    (lines) => lines.with(6, lines[6]! + lines[7]).toSpliced(7, 1),
    (lines) => lines.with(5, lines[5]!.slice(0, 99) + lines[6]).toSpliced(6, 1),
  ],
  "nul-bytes": [
    (lines) => lines.toSpliced(3, 0, "\0".repeat(4096)),
    (lines) => lines.with(4, `${"\0".repeat(9)}${lines[4]}`),
    (lines) => [...lines, "\0".repeat(100)],
  ],
  "foreign-lines": [
    (lines) => lines.toSpliced(4, 0, "<<<<<<< HEAD"),
    (lines) => lines.toSpliced(1, 0, '"text"'),
  ],
  "broken-parents": [
    (lines) => lines.toSpliced(1, 1),
    (lines) => lines.toSpliced(5, 1),
    (lines) => lines.with(6, withParent(lines[6]!, "00000000-0000-4000-8000-000000000000")),
  ],
  "parent-cycles": [
    (lines) => lines.with(5, withParent(lines[5]!, uuidOf(lines[5]!))),
    (lines) => lines.with(2, withParent(lines[2]!, uuidOf(lines[5]!))),
  ],
  "unanswered-tools": [
    (lines) => lines.slice(0, 4),
    (lines) => lines.toSpliced(4, 1).with(4, withParent(lines[5]!, uuidOf(lines[3]!))),
  ],
};

function uuidOf(line: string): string {
  return (JSON.parse(line) as { uuid: string }).uuid;
}

function withParent(line: string, parentUuid: string): string {
  return JSON.stringify({ ...(JSON.parse(line) as object), parentUuid });
}

type Planted = Record<string, string[]>;

/** Damages a home in every way, among sessions that are whole. Returns what is wrong, by check. */
function plant(home: TestHome): Planted {
  const planted: Planted = {};
  const add = (check: string, what: string): void => void (planted[check] ??= []).push(what);
  for (const [check, damages] of Object.entries(lineDamages)) {
    damages.forEach((damage, index) => {
      const session = talk(home.cwd, `${check} ${index}`);
      const { path: file } = session.write(home.configDir);
      fs.writeFileSync(file, damage(session.jsonl().trimEnd().split("\n")).join("\n"));
      add(check, file);
    });
  }
  plantCompanions(home, add);
  plantFolders(home, add);
  plantTasks(home, add);
  for (let whole = 0; whole < 5; whole++) talk(home.cwd, `whole ${whole}`).write(home.configDir);
  return planted;
}

function plantCompanions({ configDir }: TestHome, add: (check: string, what: string) => void): void {
  const paths = configPaths(configDir);
  const put = (file: string): string => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "[]");
    return file;
  };
  for (let n = 0; n < 3; n++) {
    const sessionId = `0000000${n}-0000-4000-8000-000000000000`;
    add("orphaned-companions", put(paths.todosPath({ sessionId, agentId: sessionId })));
  }
  const gone = "99999999-0000-4000-8000-000000000000";
  put(path.join(paths.fileHistoryDir(gone), "0123456789abcdef@v1"));
  add("orphaned-companions", paths.fileHistoryDir(gone));
  const empty = paths.transcriptPath({
    projectKey: "-nothing-here",
    sessionId: "88888888-0000-4000-8000-000000000000",
  });
  fs.mkdirSync(path.dirname(empty), { recursive: true });
  fs.writeFileSync(empty, "\n");
  const before = new Date(Date.now() - 2 * 60 * 60 * 1000);
  fs.utimesSync(empty, before, before);
  add("empty-sessions", empty);
}

function plantFolders(home: TestHome, add: (check: string, what: string) => void): void {
  const gone = talk(path.join(home.cwd, "renamed-since"), "gone folder").write(home.configDir);
  add("moved-folders", gone.path);
  const misfiled = talk(home.userHome, "misfiled").write(home.configDir);
  const elsewhere = configPaths(home.configDir).transcriptPath({
    projectKey: "-somewhere-else",
    sessionId: misfiled.sessionId,
  });
  fs.mkdirSync(path.dirname(elsewhere), { recursive: true });
  fs.renameSync(misfiled.path, elsewhere);
  add("moved-folders", elsewhere);
  const index = path.join(
    configPaths(home.configDir).projectDir(projectKey(home.cwd)),
    "sessions-index.json",
  );
  fs.writeFileSync(index, JSON.stringify({ version: 1, entries: [{ sessionId: "not-there" }] }));
  add("stale-index", index);
}

function plantTasks({ home, cwd }: TestHome, add: (check: string, what: string) => void): void {
  const dead = { pid: 1, startTime: "0", bootId: "another boot", host: os.hostname(), pidNamespace: "" };
  const task = (id: string, launcher: ProcessIdentity = dead): ReturnType<typeof taskFiles> => {
    const files = taskFiles(home, { projectKey: projectKey(cwd), id });
    fs.mkdirSync(path.dirname(files.record), { recursive: true, mode: 0o700 });
    const shell = {
      shell: "/bin/sh",
      merged: false,
      tty: false,
      sandbox: false,
      stdin: false,
      outputBytesMax: 1,
      keepTail: false,
    };
    const record = {
      schemaVersion: 1,
      id,
      kind: "local_bash",
      description: id,
      command: id,
      cwd,
      startedAt: new Date().toISOString(),
      launcher,
      shell,
    };
    fs.writeFileSync(files.record, JSON.stringify(record));
    return files;
  };
  task("blost00001");
  task("blost00002");
  add("lost-tasks", "blost00001");
  add("lost-tasks", "blost00002");
  const unseen = task("bunseen001", { ...currentProcess(), pidNamespace: "pid:[1]" });
  fs.mkdirSync(path.dirname(unseen.endingDraft), { mode: 0o700 });
  fs.writeFileSync(unseen.endingDraft, " ".repeat(256));
  add("unseen-tasks", "bunseen001");
  for (const id of ["alink00001", "alink00002"]) {
    const files = task(id);
    fs.symlinkSync(path.join(cwd, "agent-gone.jsonl"), files.output);
    fs.writeFileSync(files.ending, '{"schemaVersion":1,"exitCode":0,"reason":"exit"}');
    add("dangling-links", id);
  }
  const ended = task("bended0001");
  fs.writeFileSync(ended.ending, '{"schemaVersion":1,"exitCode":0,"reason":"exit"}');
  add("orphaned-processes", "bended0001");
  fs.chmodSync(home, 0o700);
}

/** What these say depends on where the test runs. */
const ofTheMachine = new Set(["hooks", "inotify", "disk"]);
const repairable = new Set([
  ...Object.keys(lineDamages),
  "empty-sessions",
  "orphaned-companions",
  "stale-index",
]);

describe("holdfast doctor", () => {
  test("finds all of 32 planted defects of 15 kinds and nothing else, and repairs what can be", async () => {
    const home = testHome();
    const planted = plant(home);
    const left = spawn("sleep", ["1000"], { env: { HOLDFAST_TASK_ID: "bended0001" }, stdio: "ignore" });
    try {
      expect(Object.values(planted).flat().length).toBeGreaterThanOrEqual(32);
      expect(Object.keys(planted).length).toBeGreaterThanOrEqual(12);
      const { code, json } = await doctor(home);
      expect(code).toBe(1);
      expect(foundIn(json)).toEqual(sorted(planted));

      const before = contents(home.configDir);
      const asked = await doctor(home, "--repair");
      expect(asked).toMatchObject({ code: 4, json: { error: { code: "needs_confirmation" } } });
      expect(contents(home.configDir)).toEqual(before);

      const repaired = await doctor(home, "--repair", "--yes");
      expect(repaired.json.failed).toEqual([]);
      const rest = Object.fromEntries(Object.entries(planted).filter(([check]) => !repairable.has(check)));
      expect(foundIn(repaired.json)).toEqual(sorted(rest));
      const kept = fs.readdirSync(repaired.json.backup!);
      expect(kept).toHaveLength(
        1 +
          Object.entries(planted)
            .filter(([check]) => repairable.has(check))
            .flatMap(([, places]) => places).length,
      );
      // What was whole was not touched.
      const after = contents(home.configDir);
      const changed = Object.keys(before).filter((file) => before[file] !== after[file]);
      expect(changed.toSorted()).toEqual(
        Object.entries(planted)
          .filter(([check]) => repairable.has(check))
          .flatMap(([, places]) => places.flatMap((place) => filesBelow(before, place)))
          .toSorted(),
      );
    } finally {
      left.kill("SIGKILL");
    }
  });

  test("says of an empty home that all is well, and of a healthy one", async () => {
    const home = testHome();
    expect(await run(["doctor"], { home })).toMatchObject({ code: 0 });
    talk(home.cwd, "whole").write(home.configDir);
    const { code, json } = await doctor(home);
    expect(code).toBe(0);
    const unwell = json.checks.filter(({ name, status }) => status !== "ok" && !ofTheMachine.has(name));
    expect(unwell).toEqual([]);
    expect(json.checks.find(({ name }) => name === "hooks")?.mend).toBe("holdfast plugin install");
    expect(fs.existsSync(path.join(home.home, "repairs"))).toBe(false);
  });

  test("tells of settings and of files of agent types that cannot be used", async () => {
    const home = testHome();
    fs.mkdirSync(home.home, { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(home.home, "config.json"), '{"keep": "yes"}');
    const agents = path.join(home.configDir, "agents");
    fs.mkdirSync(agents, { recursive: true });
    fs.writeFileSync(path.join(agents, "broken.md"), "---\nname: [\n---\n");
    const { json } = await doctor(home);
    const check = (wanted: string): unknown => json.checks.find(({ name }) => name === wanted);
    expect([check("settings"), check("agent-types")]).toMatchObject([
      { status: "fail", summary: expect.stringContaining('"keep" must be true or false') as string },
      { status: "warn", summary: "1 file of agent types cannot be used" },
    ]);
  });

  test("tells when the installed hooks last recorded something", async () => {
    const home = testHome();
    const hooksSay = async (): Promise<unknown> =>
      (await doctor(home)).json.checks.find(({ name }) => name === "hooks");
    fs.mkdirSync(home.configDir, { recursive: true });
    const program = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
    const settings = {
      hooks: {
        SessionStart: [{ hooks: [{ type: "command", command: process.execPath, args: [program, "hook"] }] }],
      },
    };
    fs.writeFileSync(path.join(home.configDir, "settings.json"), JSON.stringify(settings));
    expect(await hooksSay()).toMatchObject({
      status: "ok",
      summary: "installed; has recorded no background work lately",
    });
    const manifests = path.join(home.home, "manifests");
    fs.mkdirSync(manifests, { recursive: true, mode: 0o700 });
    const line = (timestamp: string, source: string): string => `${JSON.stringify({ timestamp, source })}\n`;
    fs.writeFileSync(
      path.join(manifests, "background-2026-03-01.jsonl"),
      line("2026-03-01T10:00:00.000Z", "hook") + line("2026-03-01T11:00:00.000Z", "holdfast"),
    );
    expect(await hooksSay()).toMatchObject({
      status: "ok",
      summary: "installed; last recorded background work at 2026-03-01T10:00:00.000Z",
    });
  });

  test("never touches a session whose owner lives, and says so", async () => {
    const home = testHome();
    const session = talk(home.cwd, "open");
    const { path: file } = session.write(home.configDir);
    fs.appendFileSync(file, "nonsense\n");
    fs.mkdirSync(path.join(home.configDir, "sessions"));
    fs.writeFileSync(
      path.join(home.configDir, "sessions", `${process.pid}.json`),
      JSON.stringify({ sessionId: session.sessionId }),
    );
    const bytes = fs.readFileSync(file);
    const { code, json } = await doctor(home, "--repair", "--yes");
    expect(code).toBe(1);
    expect(json.failed).toMatchObject([{ path: file }]);
    expect(fs.readFileSync(file)).toEqual(bytes);
    expect((await run(["doctor"], { home })).stdout).toContain(`open in pid ${process.pid}`);
  });

  test("shows a line a check that fits the window, with what mends it", async () => {
    const home = testHome();
    fs.mkdirSync(home.home, { mode: 0o755 });
    const { code, stdout } = await run(["doctor"], { home, env: { COLUMNS: "60" } });
    expect(code).toBe(1);
    expect(stdout).toContain("✗ home-permissions");
    expect(stdout).toContain(`→ chmod 700 ${home.home}`);
    const wide = stdout.split("\n").filter((line) => line.length > 60 && !line.includes("→"));
    expect(wide).toEqual([]);
    expect((await doctor(home, "--repair", "--yes")).json.repaired).toMatchObject([{ path: home.home }]);
    expect(fs.statSync(home.home).mode & 0o777).toBe(0o700);
  });
});

/** What was found, by check: the place of each finding. Checks of the machine itself are left out. */
function foundIn({ checks }: DoctorAnswer): Planted {
  const own = checks.filter(({ name, findings }) => !ofTheMachine.has(name) && findings.length > 0);
  return sorted(
    Object.fromEntries(
      own.map(({ name, findings }) => [name, findings.map(({ taskId, path: file }) => taskId ?? file ?? "")]),
    ),
  );
}

function sorted(found: Planted): Planted {
  return Object.fromEntries(Object.entries(found).map(([name, places]) => [name, places.toSorted()]));
}

function contents(dir: string): Record<string, string> {
  const files = fs
    .readdirSync(dir, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(dir, name));
  return Object.fromEntries(
    files.filter((file) => fs.statSync(file).isFile()).map((file) => [file, fs.readFileSync(file, "base64")]),
  );
}

function filesBelow(files: Record<string, string>, place: string): string[] {
  return Object.keys(files).filter((file) => file === place || file.startsWith(`${place}/`));
}
