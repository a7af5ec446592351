import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { sampleSession, testHome, type TestHome, type WrittenSession } from "../support/index.ts";
import { run, runJson } from "./cli.ts";

// What docs/guide/sessions.md says of scope and of the newest session, for each command.

interface World {
  home: TestHome;
  /** A project with two sessions, and one in a folder inside of it. */
  older: WrittenSession;
  newer: WrittenSession;
  inside: WrittenSession;
  /** The newest on the machine. */
  elsewhere: WrittenSession;
  /** A folder of the project that no session was held in. */
  subfolder: string;
}

function world(): World {
  const home = testHome();
  const write = (name: string, cwd: string, month: string): WrittenSession => {
    const session = sampleSession({ cwd, seed: name, startedAt: `2026-${month}-01T00:00:00.000Z` });
    session.meta("custom-title", { customTitle: name });
    return session.write(home.configDir);
  };
  const subfolder = path.join(home.cwd, "src", "deep");
  fs.mkdirSync(subfolder, { recursive: true });
  return {
    home,
    subfolder,
    // The order in which they are written is not that of what was said in them.
    elsewhere: write("elsewhere", path.join(path.dirname(home.cwd), "other"), "06"),
    newer: write("newer", home.cwd, "05"),
    inside: write("inside", path.join(home.cwd, "packages", "a"), "04"),
    older: write("older", home.cwd, "03"),
  };
}

const listed = async (home: TestHome, args: string[] = [], cwd = home.cwd): Promise<string[]> =>
  (await runJson(["sessions", ...args], { home, cwd })).json.sessions.map(({ title }) => title ?? "");

describe("the scope of sessions", () => {
  test("is the project, also in a folder inside of it, and with --all the machine", async () => {
    const { home, subfolder } = world();
    const project = ["newer", "inside", "older"];
    expect(await listed(home)).toEqual(project);
    expect(await listed(home, [], subfolder)).toEqual(project);
    expect(await listed(home, ["--project", "."], subfolder)).toEqual(project);
    expect(await listed(home, ["--limit", "1"])).toEqual(["newer"]);
    expect(await listed(home, ["--all"])).toEqual(["elsewhere", ...project]);
    // A folder that sessions were held in is a project of its own.
    expect(await listed(home, ["--project", "packages/a"])).toEqual(["inside"]);
    expect(await listed(home, ["--project", "../other"])).toEqual(["elsewhere"]);
  });

  test("ends at the root of a checkout, and before the home folder", async () => {
    const { home } = world();
    const checkout = path.join(home.cwd, "vendor", "lib");
    fs.mkdirSync(path.join(checkout, ".git"), { recursive: true });
    expect(await listed(home, [], checkout)).toEqual([]);
    const own = path.join(home.cwd, "new");
    fs.mkdirSync(own);
    const env = { HOME: home.cwd };
    const { json } = await runJson(["sessions"], { home, cwd: own, env });
    expect(json.sessions).toEqual([]);
  });

  test("says what was left out", async () => {
    const { home } = world();
    const { stderr } = await run(["sessions"], { home });
    expect(stderr).toBe("1 more on this machine: --all\n");
    const inside = await run(["sessions", "--project", "packages/a"], { home });
    expect(inside.stderr).toBe("3 more on this machine: --all\n");
    sampleSession({ cwd: path.join(home.cwd, "packages"), seed: "parent" }).write(home.configDir);
    const below = await run(["sessions", "--project", "packages/a"], { home });
    expect(below.stderr).toBe("1 more in the parent folder, 4 on this machine: --all\n");
    expect((await run(["sessions", "--all"], { home })).stderr).toBe("");
  });
});

describe("the scope of search and usage", () => {
  const found = async (home: TestHome, args: string[] = [], cwd = home.cwd): Promise<string[]> => {
    const words = ["search", "elsewhere OR newer OR inside OR older", "--type", "custom-title", ...args];
    const { stdout } = await run([...words, "--json"], { home, cwd });
    const { hits } = JSON.parse(stdout) as { hits: { snippet: string }[] };
    return hits.map(({ snippet }) => snippet).sort();
  };
  const counted = async (home: TestHome, args: string[] = [], cwd = home.cwd): Promise<string[]> => {
    const { stdout } = await run(["usage", "--by", "session", ...args, "--json"], { home, cwd });
    return (JSON.parse(stdout) as { rows: { key: string }[] }).rows.map(({ key }) => key).sort();
  };

  test.each(["without an index", "with one"])("is that of sessions, %s", async (index) => {
    const { home, subfolder, older, newer, inside, elsewhere } = world();
    // Its folder's name begins as that of the project does, and it is none inside of it.
    const twin = sampleSession({ cwd: `${home.cwd}-twin`, seed: "twin" });
    twin.meta("custom-title", { customTitle: "elsewhere, the twin" });
    const { sessionId: twinId } = twin.write(home.configDir);
    if (index === "with one") await run(["index"], { home });
    const project = ["inside", "newer", "older"];
    const ids = [older, newer, inside].map(({ sessionId }) => sessionId).sort();
    const all = [...ids, elsewhere.sessionId, twinId].sort();
    expect(await found(home)).toEqual(project);
    expect(await found(home, [], subfolder)).toEqual(project);
    expect(await found(home, ["--all"])).toEqual(["elsewhere", "elsewhere, the twin", ...project]);
    expect(await found(home, ["--project", "packages/a"])).toEqual(["inside"]);
    expect(await found(home, ["--project", "../other"])).toEqual(["elsewhere"]);
    expect(await counted(home)).toEqual(ids);
    expect(await counted(home, [], subfolder)).toEqual(ids);
    expect(await counted(home, ["--all"])).toEqual(all);
    expect(await counted(home, ["--project", "packages/a"])).toEqual([inside.sessionId]);
    expect(await counted(home, ["--by", "day", "--project", "../other"])).toEqual(["2026-06-01"]);
  });

  test("keeps archived sessions of the project, and sub-agents whose session is gone", async () => {
    const { home, newer, older } = world();
    const agents = path.join(older.path.slice(0, -".jsonl".length), "subagents");
    expect(fs.existsSync(agents)).toBe(true);
    fs.rmSync(older.path);
    await run(["archive", newer.sessionId], { home });
    expect(await found(home)).toEqual(["inside", "newer"]);
    expect(await counted(home)).toContain(older.sessionId);
    expect(await counted(home)).toContain(newer.sessionId);
  });

  test("says what was left out", async () => {
    const { home } = world();
    const left = "1 more session on this machine: --all\n";
    expect((await run(["search", "parser"], { home })).stderr).toContain(left);
    expect((await run(["usage"], { home })).stderr).toBe(left);
    expect((await run(["usage", "--all"], { home })).stderr).toBe("");
    expect((await run(["search", "parser", "--all"], { home })).stderr).not.toContain("--all");
    const empty = path.join(path.dirname(home.cwd), "empty");
    fs.mkdirSync(empty);
    expect((await run(["search", "parser"], { home, cwd: empty })).stderr).toBe(
      "Nothing found.\n4 more sessions on this machine: --all\n",
    );
    expect((await run(["usage"], { home, cwd: empty })).stderr).toBe(
      `No usage: no session of ${empty} has an answer yet.\n4 more sessions on this machine: --all\n`,
    );
  });
});

describe("the scope of tasks", () => {
  test.each([
    ["ps", "-a"],
    ["logs", "@last"],
    ["wait", "@last"],
    ["inspect", "@last"],
    ["stop", "@last"],
  ])("%s is the machine", async (...words) => {
    const { home, subfolder } = world();
    const id = (await run(["run", "--wait", "--", "echo done"], { home })).stdout.trim();
    const elsewhere = path.join(path.dirname(home.cwd), "elsewhere");
    fs.mkdirSync(elsewhere);
    for (const cwd of [subfolder, elsewhere])
      expect((await run([...words, "--json"], { home, cwd })).stdout).toContain(`"${id}"`);
    const narrowed = await run(["ps", "-a", "-q", "--project", "."], { home, cwd: elsewhere });
    expect(narrowed.stdout).toBe("");
  });
});

describe("the newest session", () => {
  test("is the one in which something was said or done last, whatever was done to its file", async () => {
    const { home, older, newer } = world();
    await run(["rename", older.sessionId, "renamed"], { home });
    await run(["tag", older.sessionId, "x"], { home });
    fs.utimesSync(older.path, new Date(), new Date());
    expect(await listed(home)).toEqual(["newer", "inside", "renamed"]);
    expect(await listed(home, ["--limit", "2"])).toEqual(["newer", "inside"]);
    await run(["move", older.sessionId, path.join(home.cwd, "moved")], { home });
    expect(await listed(home)).toEqual(["newer", "inside", "renamed"]);
    const fork = (await runJson(["fork", older.sessionId], { home })).json;
    // A fork is a conversation that begins now; the original stays where it was.
    expect(await listed(home)).toEqual(["renamed (fork)", "newer", "inside", "renamed"]);
    const { json } = await runJson(["show", "@last"], { home });
    expect(json.sessionId).toBe(fork.sessionId);
    expect(newer.sessionId).not.toBe(fork.sessionId);
  });

  // Each that takes a session: what it answers tells which one it took.
  const verbs: string[][] = [
    ["show", "@last"],
    ["fork", "@last"],
    ["rename", "@last", "x"],
    ["tag", "@last", "x"],
    ["move", "@last", "/target"],
    ["export", "@last", "-o", "out.md"],
    ["todos", "@last"],
    ["files", "@last"],
  ];

  test.each(verbs)("%s @last is that of this project, with --all that of the machine", async (...words) => {
    const { home, newer, elsewhere, subfolder } = world();
    const taken = async (args: string[]): Promise<string> => {
      const { json } = await runJson([...words, ...args], { home, cwd: subfolder });
      return (json as { forkedFrom?: string }).forkedFrom ?? json.sessionId;
    };
    expect(await taken(["--all"])).toBe(elsewhere.sessionId);
    fs.rmSync(path.join(subfolder, "out.md"), { force: true });
    expect(await taken([])).toBe(newer.sessionId);
  });

  test("rm @last and archive @last take that of this project, too", async () => {
    const { home, newer, elsewhere, inside } = world();
    const archived = await run(["archive", "@last", "--json"], { home });
    expect(JSON.parse(archived.stdout)).toMatchObject({ archived: [{ sessionId: newer.sessionId }] });
    await run(["archive", "restore", newer.sessionId], { home });
    await run(["rm", "@last"], { home });
    expect(await listed(home)).toEqual(["inside", "older"]);
    await run(["rm", "@last", "--all"], { home });
    expect(await listed(home, ["--all"])).toEqual(["inside", "older"]);
    expect([inside, elsewhere].map(({ path: file }) => fs.existsSync(file))).toEqual([true, false]);
  });

  test("@last says when another one on the machine is newer, and fails where the project has none", async () => {
    const { home, elsewhere } = world();
    const { stderr } = await run(["todos", "@last"], { home });
    expect(stderr).toContain("holdfast: another project has a newer session: --all\n");
    expect((await run(["todos", "@last", "--all"], { home })).stderr).not.toContain("newer");
    const empty = path.join(path.dirname(home.cwd), "empty");
    fs.mkdirSync(empty);
    const none = await run(["show", "@last"], { home, cwd: empty });
    expect(none).toMatchObject({ code: 3, stdout: "" });
    expect(none.stderr).toContain(`Cannot find session @last: "${empty}" has no session`);
    expect((await runJson(["show", "@last", "--all"], { home, cwd: empty })).json.sessionId).toBe(
      elsewhere.sessionId,
    );
  });
});
