import { describe, expect, test } from "vitest";
import { writeScript } from "../support/agent-script.ts";
import { homeWithEdits } from "../support/session-with-edits.ts";
import { sampleSession, testHome, threeQuestions, type TestHome } from "../support/index.ts";
import { run, runJson } from "./cli.ts";
import { taskHome } from "./task-cli.ts";

// Whatever is printed is accepted.

interface Talk {
  home: TestHome;
  sessionId: string;
  uuids: string[];
}

function talk(): Talk {
  const home = testHome();
  const session = threeQuestions({ cwd: home.cwd });
  const { sessionId } = session.write(home.configDir);
  return {
    home,
    sessionId,
    uuids: session.entries.flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid])),
  };
}

const short = (id: string): string => id.slice(0, 8);

describe("short ids of messages", () => {
  test("show --ids prints them, and --leaf, fork --at and show itself take them", async () => {
    const { home, sessionId, uuids } = talk();
    const { stdout } = await run(["show", sessionId, "--ids"], { home });
    const ids = stdout.split("\n").filter((line) => /^[0-9a-f]{8}$/.test(line));
    // The result of a tool is shown with its call.
    expect(ids).toEqual(uuids.map(short).toSpliced(4, 1));
    expect((await run(["show", sessionId], { home })).stdout).not.toContain(ids[0]);
    const second = ids[1]!;
    for (const args of [
      ["show", sessionId, "--leaf", second],
      ["show", second],
    ]) {
      const { json } = await runJson(args, { home });
      expect([json.sessionId, json.entries.map(({ uuid }) => uuid)]).toEqual([sessionId, uuids.slice(0, 2)]);
    }
    const fork = (await runJson(["fork", sessionId, "--at", second], { home })).json;
    expect(fork.entries).toBe(2);
    expect((await runJson(["export", second, "--format", "json"], { home })).json.entries).toHaveLength(2);
  });

  test("search prints one that show takes, and knows one that is searched for", async () => {
    const { home, uuids } = talk();
    const { stdout, stderr } = await run(["search", "second", "answer"], { home });
    const [, command = ""] = /Read up to a hit: holdfast (.*)\n/.exec(stderr) ?? [];
    expect(stdout).toContain(command.split(" ").at(-1));
    expect((await run(command.split(" "), { home })).stdout).toContain("second answer");
    const byId = await run(["search", short(uuids[2]!)], { home });
    expect(byId.stderr).toContain(`--leaf ${short(uuids[2]!)}`);
    expect((await run(["search", "0badc0de"], { home })).stderr).toBe("Nothing found.\n");
  });

  test("are refused when none or several begin so", async () => {
    const { home, sessionId, uuids } = talk();
    const none = await runJson(["show", sessionId, "--leaf", "zzzz"], { home });
    expect([none.code, none.json.error.code]).toEqual([3, "entry_not_found"]);
    const beginnings = uuids.map((uuid) => uuid[0]!);
    const shared = beginnings.find((letter, at) => beginnings.indexOf(letter) !== at)!;
    const several = await run(["fork", sessionId, "--at", shared], { home });
    expect(several.code).toBe(5);
    const meant = uuids.filter((uuid) => uuid.startsWith(shared));
    expect(several.stderr).toContain(
      `Type more of one of these:\n${meant.map((uuid) => `  ${uuid}\n`).join("")}`,
    );
    expect(await run(["show", "0badc0de"], { home })).toMatchObject({ code: 3, stdout: "" });
  });

  test("files --at takes any message of the turn", async () => {
    const { home, sessionId, prompt } = homeWithEdits();
    const { json } = await runJson(["show", sessionId], { home });
    const answer = json.entries.at(-1)!.uuid!;
    expect(answer).not.toBe(prompt);
    for (const id of [prompt, short(prompt), answer, short(answer)]) {
      const diff = await runJson(["files", sessionId, "--diff", "--at", id], { home });
      expect([id, diff.json.diffs.map(({ kind }) => kind)]).toEqual([id, ["changed", "changed"]]);
    }
    expect(await run(["files", sessionId, "--diff", "--at", "zzzz"], { home })).toMatchObject({ code: 3 });
  });
});

describe("ids of agents", () => {
  test("show and export take the id that a session shows, whole or short", async () => {
    const home = testHome();
    const session = sampleSession({ cwd: home.cwd });
    const { sessionId } = session.write(home.configDir);
    const { stdout } = await run(["show", sessionId], { home });
    const [, agentId = ""] = /agent (a[0-9a-f]{16})/.exec(stdout) ?? [];
    expect(session.agents.map((agent) => agent.agentId)).toEqual([agentId]);
    for (const id of [agentId, agentId.slice(0, 7)]) {
      const shown = await run(["show", id], { home });
      expect(shown.stdout).toContain("❯ Find every caller of parse()");
      expect(shown.stdout).toContain("One caller: src/a.ts");
      expect(shown.stdout).not.toContain("Then fix it");
    }
    expect((await run(["export", agentId], { home })).stdout).toContain("One caller: src/a.ts");
    // Nobody renames a part of a session.
    expect(await run(["rename", agentId, "x"], { home })).toMatchObject({ code: 3 });
  });

  test("show takes the id of an agent that runs in the background", async () => {
    await using home = taskHome();
    const { script = "" } = writeScript(home, [{ text: "The answer is 42" }]);
    const started = await home.holdfast("agent", "--script", script, "--wait", "--json", "What is it?");
    const { id } = JSON.parse(started.stdout) as { id: string };
    expect((await run(["show", id], { home })).stdout).toContain("The answer is 42");
  });
});

describe("holdfast export", () => {
  const answer = "One caller: src/a.ts";

  test("takes sub-agents along as folded sections, behind the call that started them", async () => {
    const home = testHome();
    const session = sampleSession({ cwd: home.cwd });
    const { sessionId } = session.write(home.configDir);
    const title = `Explore: Find every caller of parse\\(\\)? \\(agent ${session.agents[0]!.agentId}\\)`;
    const exported = async (...args: string[]): Promise<string> =>
      (await run(["export", sessionId, ...args], { home })).stdout;
    const md = await exported();
    expect(md.replaceAll("\\", "")).toMatch(
      new RegExp(`<details><summary>${title}</summary>\n\n## User[^]*${answer}\n\n</details>[^]*Then fix it`),
    );
    const html = await exported("--format", "html");
    expect(html).toMatch(
      new RegExp(`<details class="agent"><summary>${title}</summary>[^]*${answer}[^]*Then fix it`),
    );
    const opened = (text: string): number[] =>
      [/<details/g, /<\/details>/g].map((tag) => text.match(tag)!.length);
    for (const text of [md, html]) expect(new Set(opened(text)).size).toBe(1);
    for (const format of ["md", "html"])
      expect(await exported("--format", format, "--no-agents")).not.toContain('class="agent"');
    expect(await exported("--no-agents")).not.toContain(`\n${answer}\n`);
  });

  test("has them in JSON only when they are asked for", async () => {
    const home = testHome();
    const session = sampleSession({ cwd: home.cwd });
    const { sessionId } = session.write(home.configDir);
    const { json: plain } = await runJson(["export", sessionId], { home });
    expect(Object.keys(plain)).toEqual([
      "schemaVersion",
      "sessionId",
      "title",
      "entries",
      "rejections",
      "gaps",
      "elsewhere",
    ]);
    const { json } = await runJson(["export", sessionId, "--agents"], { home });
    const [agent] = (json as unknown as { agents: { agentId: string; entries: { uuid: string }[] }[] })
      .agents;
    expect(agent).toMatchObject({ agentId: session.agents[0]!.agentId, agentType: "Explore" });
    expect(agent?.entries.map(({ uuid }) => uuid)).toEqual(
      session.agents[0]!.entries.map(({ uuid }) => uuid),
    );
  });
});
