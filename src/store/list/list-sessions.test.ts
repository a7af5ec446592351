import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import {
  sampleSession,
  tempDir,
  TranscriptBuilder,
  type WrittenSession,
} from "../../../test/support/index.ts";
import { configPaths, projectKey } from "../../format/paths.ts";
import { CoveredFiles } from "../index/covered-files.ts";
import { DerivedIndex } from "../index/derived-index.ts";
import { getSummary, listSessions, type ListContext, type ListOptions } from "./list-sessions.ts";
import { listAgents } from "./session-agents.ts";

let configDir: string;
let context: ListContext;

beforeEach(() => {
  configDir = tempDir();
  context = { configDir, indexDir: path.join(tempDir(), "index") };
});

let seeds = 0;
function write(options: { cwd?: string; startedAt?: string; prompt?: string } = {}): WrittenSession {
  const session = new TranscriptBuilder({ seed: `list ${seeds++}`, ...options });
  session.prompt(options.prompt ?? "hello");
  const written = session.write(configDir);
  const at = new Date(options.startedAt ?? "2026-01-01T00:00:00Z");
  fs.utimesSync(written.path, at, at);
  return written;
}

const ids = (options?: ListOptions): string[] =>
  listSessions(context, options).map(({ sessionId }) => sessionId);
const day = (number: number): string => `2026-01-0${number}T00:00:00.000Z`;

test("listSessions() says of a session what its files say", () => {
  const session = sampleSession();
  const written = session.write(configDir);
  const expected = {
    sessionId: written.sessionId,
    project: "-home-user-project",
    cwd: "/home/user/project",
    path: written.path,
    title: "Fix the parser",
    firstPrompt: "Why does the parser fail in round 1?",
    messageCount: session.entries.filter(({ type }) => type === "user" || type === "assistant").length,
    agents: 1,
    gitBranch: "main",
    startedAt: session.entries[0]!["timestamp"],
    updatedAt: session.entries.at(-1)!["timestamp"],
    bytes: fs.statSync(written.path).size,
  };
  const { messageCount: _, agents: __, ...glanced } = expected;
  // Before the cache knows it, and after.
  expect(listSessions(context, { counts: false })).toEqual([glanced]);
  expect([listSessions(context), listSessions(context)]).toEqual([[expected], [expected]]);
  expect(listSessions(context, { counts: false })).toEqual([glanced]);
  expect(getSummary(context, written)).toEqual(expected);
});

test("listSessions() lists newest first, of all projects or one, and only so many", () => {
  const [b, d, a, c] = [
    write({ startedAt: day(2) }),
    write({ startedAt: day(4), cwd: "/home/user/other" }),
    write({ startedAt: day(1) }),
    write({ startedAt: day(3) }),
  ].map(({ sessionId }) => sessionId);
  expect([
    ids(),
    ids({ cwd: "/home/user/project" }),
    ids({ limit: 2 }),
    ids({ limit: 0 }),
    ids({ cwd: "/home/user" }),
  ]).toEqual([[d, c, b, a], [c, b, a], [d, c], [], []]);
});

test("listSessions() takes a title from a person over one from the client, and the last of each", () => {
  const { path: file } = write();
  const titles = [
    { type: "ai-title", aiTitle: "ai" },
    { type: "custom-title", customTitle: "mine" },
    { type: "ai-title", aiTitle: "ai 2" },
    { type: "custom-title", customTitle: "" },
    { type: "tag", tag: "x" },
    { type: "tag", tag: "" },
  ];
  const seen = titles.map((line) => {
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`);
    const [{ title, tag } = {}] = listSessions(context);
    return [title, tag];
  });
  expect(seen).toEqual([
    ["ai", undefined],
    ["mine", undefined],
    ["mine", undefined],
    ["ai 2", undefined],
    ["ai 2", "x"],
    ["ai 2", undefined],
  ]);
});

test("listSessions() confirms by the entries which over-long directory is meant, whatever hash ends its name", () => {
  const long = `/home/${"directory/".repeat(30)}`;
  const cwds = [`${long}one`, `${long}two`];
  const [one, two] = cwds.map((cwd) => write({ cwd })) as [WrittenSession, WrittenSession];
  const foreign = path.join(configDir, "projects", `${projectKey(cwds[0]!).slice(0, 200)}-zzz999`);
  fs.renameSync(path.dirname(one.path), foreign);
  fs.writeFileSync(path.join(foreign, "empty.jsonl"), "");
  expect([ids({ cwd: cwds[0]! }), ids({ cwd: cwds[1]! }), ids({ cwd: long }), ids().length]).toEqual([
    [one.sessionId],
    [two.sessionId],
    [],
    3,
  ]);
});

test("listSessions() keeps directories apart that share a folder name", () => {
  const dotted = write({ cwd: "/home/a/b.c" });
  const dashed = write({ cwd: "/home/a/b-c" });
  expect(path.dirname(dotted.path)).toBe(path.dirname(dashed.path));
  expect([ids({ cwd: "/home/a/b.c" }), ids({ cwd: "/home/a/b-c" }), ids({ cwd: "/home/a/b/c" })]).toEqual([
    [dotted.sessionId],
    [dashed.sessionId],
    [],
  ]);
});

test("listSessions() lists a session in the folder that it was filed under, wherever its entries were written", () => {
  const { path: file, sessionId } = write({ cwd: "/home/user/elsewhere" });
  const dir = configPaths(configDir).projectDir(projectKey("/home/user/project"));
  fs.mkdirSync(dir, { recursive: true });
  fs.renameSync(file, path.join(dir, path.basename(file)));
  expect([ids({ cwd: "/home/user/project" }), ids({ cwd: "/home/user/elsewhere" })]).toEqual([
    [sessionId],
    [],
  ]);
});

test("listSessions() lists files without prompts, empty ones and such as are no transcripts with what is known of them", () => {
  const dir = path.join(configDir, "projects", "-p");
  fs.mkdirSync(dir, { recursive: true });
  const files = { empty: "", damaged: "hello\n\0\0\0\n", silent: '{"type":"mode","mode":"x"}\n' };
  for (const [name, content] of Object.entries(files)) {
    fs.writeFileSync(path.join(dir, `${name}.jsonl`), content);
    fs.utimesSync(path.join(dir, `${name}.jsonl`), new Date(day(1)), new Date(day(1)));
  }
  const bare = (sessionId: keyof typeof files): object => ({
    sessionId,
    project: "-p",
    path: path.join(dir, `${sessionId}.jsonl`),
    messageCount: 0,
    agents: 0,
    updatedAt: day(1),
    bytes: files[sessionId].length,
  });
  expect(listSessions(context).toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1))).toEqual([
    bare("damaged"),
    bare("empty"),
    bare("silent"),
  ]);
});

test("listSessions() takes nothing but regular files that end in .jsonl for a session", () => {
  const dir = path.join(configDir, "projects", "-p");
  fs.mkdirSync(path.join(dir, "folder.jsonl"), { recursive: true });
  for (const name of [
    "..jsonl",
    "...jsonl",
    ".jsonl",
    ".hidden.jsonl",
    "notes.txt",
    "agent-a1.jsonl",
    "sessions-index.json",
  ])
    fs.writeFileSync(path.join(dir, name), '{"type":"user"}\n');
  fs.symlinkSync(path.join(dir, "nowhere"), path.join(dir, "dangling.jsonl"));
  fs.symlinkSync(path.join(dir, "circle.jsonl"), path.join(dir, "circle.jsonl"));
  spawnSync("mkfifo", [path.join(dir, "pipe.jsonl")]);
  fs.writeFileSync(path.join(configDir, "projects", "file"), "");
  expect(listSessions(context)).toEqual([]);
});

test("listSessions() finds nothing where there is nothing", () => {
  expect([listSessions(context), listSessions({ configDir: path.join(configDir, "nowhere") })]).toEqual([
    [],
    [],
  ]);
});

test("listSessions() carries its counts on while sessions grow, shrink and go", () => {
  const [first, second] = [write({ startedAt: day(2) }), write({ startedAt: day(1) })] as [
    WrittenSession,
    WrittenSession,
  ];
  const counts = (): (number | undefined)[] => listSessions(context).map(({ messageCount }) => messageCount);
  const seen = [counts()];
  fs.appendFileSync(first.path, '{"type":"user"}\n{"type":"assistant"}\n{"type":"us');
  seen.push(counts());
  fs.appendFileSync(first.path, 'er"}');
  seen.push(counts());
  fs.appendFileSync(first.path, '{"glued":1}\n');
  seen.push(counts());
  fs.truncateSync(first.path, fs.readFileSync(first.path).indexOf(10) + 1);
  seen.push(counts());
  fs.rmSync(second.path);
  seen.push(counts());
  expect(seen).toEqual([[1, 1], [3, 1], [4, 1], [3, 1], [1, 1], [1]]);
});

test("listSessions() keeps what it knows of other projects when it lists one, and forgets what is gone when it lists all", () => {
  const one = write({ cwd: "/home/user/one" });
  const two = write({ cwd: "/home/user/two" });
  const known = (): string[] => {
    const index = new DerivedIndex(context.indexDir!);
    const paths = [...new CoveredFiles(index, "listing").list().keys()];
    index.close();
    return paths.sort();
  };
  listSessions(context);
  fs.appendFileSync(one.path, '{"type":"user"}\n');
  fs.rmSync(two.path);
  listSessions(context, { cwd: "/home/user/one" });
  listSessions(context, { limit: 10 });
  expect(known()).toEqual([one.path, two.path].sort());
  listSessions(context);
  expect(known()).toEqual([one.path]);
});

test("listSessions() counts agents in every layout as listAgents() lists them, without the client's helpers", async () => {
  const session = new TranscriptBuilder();
  session.prompt("hello");
  session.runAgent("task", (agent) => agent.reply("done"));
  session.continueFrom(null).prompt("inline", { isSidechain: true });
  const written = session.write(configDir);
  const agentLine = `${JSON.stringify({ type: "user", sessionId: written.sessionId, isSidechain: true })}\n`;
  const own = path.join(path.dirname(written.path), written.sessionId, "subagents");
  fs.mkdirSync(path.join(own, "workflows", "wf_1"), { recursive: true });
  const names = [
    "workflows/wf_1/agent-aw1.jsonl",
    "workflows/wf_1/journal.jsonl",
    "agent-acompact-123456.jsonl",
    "agent-aprompt_suggestion-123456.jsonl",
    "notes.txt",
  ];
  for (const name of names) fs.writeFileSync(path.join(own, name), agentLine);
  for (const name of ["agent-1234abcd.jsonl", "agent-acompact-654321.jsonl"])
    fs.writeFileSync(path.join(path.dirname(written.path), name), agentLine);
  fs.writeFileSync(
    path.join(path.dirname(written.path), "agent-99999999.jsonl"),
    agentLine.replace(written.sessionId, "another"),
  );
  const [summary] = listSessions(context);
  const listed = await listAgents(written);
  expect({
    counted: summary!.agents,
    listed: listed.filter(({ internal }) => !internal).map(({ layout }) => layout),
  }).toEqual({
    counted: 4,
    listed: ["nested", "workflow", "flat", "inline"],
  });
});

test("getSummary() describes a transcript anywhere, and says when it is gone", () => {
  const file = path.join(tempDir(), "copied.jsonl");
  fs.writeFileSync(file, sampleSession().jsonl());
  const session = { sessionId: "copied", projectKey: path.basename(path.dirname(file)), path: file };
  expect(getSummary(context, session)).toMatchObject({
    sessionId: "copied",
    path: file,
    title: "Fix the parser",
  });
  fs.rmSync(file);
  expect(() => getSummary(context, session)).toThrow(expect.objectContaining({ code: "session_not_found" }));
});

test("listSessions() leaves out what is deleted while it lists", async () => {
  const stable = write();
  const dir = path.dirname(stable.path);
  const child = spawn("sh", [
    "-c",
    `while :; do for i in 1 2 3 4 5 6 7 8; do cp "$0" "$1/x$i.jsonl"; done; rm -f "$1"/x*.jsonl; done`,
    stable.path,
    dir,
  ]);
  const closed = new Promise((resolve) => child.on("close", resolve));
  try {
    for (let round = 0; round < 300; round++) expect(ids()).toContain(stable.sessionId);
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
});

test("listSessions() names a folder that it may not read, and lists the others", (testContext) => {
  const open = write({ cwd: "/home/user/open" });
  const closed = write({ cwd: "/home/user/closed" });
  const named = write({ cwd: "/home/user/named" });
  fs.copyFileSync(named.path, path.join(path.dirname(named.path), "second.jsonl"));
  fs.chmodSync(path.dirname(closed.path), 0);
  fs.chmodSync(path.dirname(named.path), 0o444);
  const list = `
    import { listSessions } from ${JSON.stringify(fileURLToPath(new URL("list-sessions.ts", import.meta.url)))};
    const unreadable = [];
    const onUnreadable = (dir) => unreadable.push(dir);
    const sessions = listSessions({ configDir: process.argv[1], onUnreadable });
    process.stdout.write(JSON.stringify([sessions.map(({ sessionId }) => sessionId), unreadable]));`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", list, configDir];
  // Root may read everything, so somebody else must try.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    fs.chmodSync(configDir, 0o755);
    const probe = spawnSync("setpriv", ["--reuid=65534", "--clear-groups", process.execPath, "-e", ""]);
    if (probe.status !== 0)
      testContext.skip("Skipped: root may read every folder, and nobody else can run Node here");
  }
  const { stdout, stderr } = isRoot
    ? spawnSync("setpriv", ["--reuid=65534", "--clear-groups", process.execPath, ...args], {
        encoding: "utf8",
      })
    : spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stdout === "" ? stderr : JSON.parse(stdout)).toEqual([
    [open.sessionId],
    [path.dirname(closed.path), path.dirname(named.path)],
  ]);
});
