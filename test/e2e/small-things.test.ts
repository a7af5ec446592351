import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { testHome, TranscriptBuilder } from "../support/index.ts";
import { homeWithSession, run } from "./cli.ts";
import { taskHome } from "./task-cli.ts";

// What people who tried the command line stumbled over, each once.

test("search takes a word that begins with a minus, and still knows its options", async () => {
  const home = testHome();
  for (const text of ["an error in the parser", "an error in the printer"]) {
    const builder = new TranscriptBuilder({ cwd: home.cwd, seed: text });
    builder.prompt(text);
    builder.write(home.configDir);
  }
  const { code, stdout } = await run(["search", "error", "-printer", "-n", "5"], { home });
  expect(code).toBe(0);
  expect(stdout).toContain("parser");
  expect(stdout).not.toContain("printer");
  expect((await run(["search", "error", "-n1"], { home })).stderr).toContain("Showing 1 of 2");
  expect((await run(["search", "error", "--printer"], { home })).code).toBe(2);
});

test("archive list shows what a session is about, and its true folder", async () => {
  const home = testHome();
  const builder = new TranscriptBuilder({ cwd: home.cwd });
  builder.prompt("Why is it red?");
  const { sessionId } = builder.write(home.configDir);
  expect(await run(["archive", sessionId, "--yes"], { home })).toMatchObject({ code: 0 });
  const { stdout } = await run(["archive", "list"], { home });
  expect(stdout).toContain("Why is it red?");
  expect(stdout).toContain(` ${home.cwd} `);
});

test.each([
  ["archive", ["archive", "--older-than", "1d"], "Nothing archived."],
  ["prune", ["prune", "--older-than", "0s"], "Nothing removed."],
])("%s that is declined is no error", async (_, args, words) => {
  await using home = taskHome();
  const builder = new TranscriptBuilder({ cwd: home.cwd });
  builder.prompt("Why is it red?");
  const { path: file } = builder.write(home.configDir);
  fs.utimesSync(file, new Date(0), new Date(0));
  await home.start("--wait", "true");
  const terminal = home.spawnOnTerminal(args);
  await terminal.shows("[y/N]");
  terminal.type("n\r");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen).toContain(`\n${words}`);
});

test("mcp on a terminal says for whom it is", async () => {
  await using home = taskHome();
  const terminal = home.spawnOnTerminal(["mcp"]);
  await terminal.shows("claude mcp add holdfast -- holdfast mcp");
  terminal.type("\u0003");
  expect(await terminal.ended()).toBe(130);
});

test("hook on a terminal says who runs it, instead of waiting for an event", async () => {
  await using home = taskHome();
  const terminal = home.spawnOnTerminal(["hook"]);
  await terminal.shows("Let Claude Code run it: holdfast plugin install");
  expect(await terminal.ended()).toBe(0);
});

describe("doctor", () => {
  test("cuts no folder away in a window of 80 columns", async () => {
    const { home } = homeWithSession();
    const dir = path.join(home.configDir, "projects", `-${"long-name-".repeat(9)}`, "tool-results");
    const gone = path.join(home.cwd, "a-folder-with-a-long-name", "and-another-one-in-it", "the-end");
    const builder = new TranscriptBuilder({ cwd: gone, seed: "gone" });
    builder.prompt("Hello");
    builder.write(home.configDir);
    fs.mkdirSync(dir, { recursive: true });
    const { stdout } = await run(["doctor"], { home, env: { COLUMNS: "80" } });
    expect(stdout.replace(/\s+/g, "")).toContain(gone);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("prints only ASCII in the locale C", async () => {
    const { home } = homeWithSession();
    const env = { LC_ALL: "C" };
    for (const args of [["doctor"], ["help"], ["sessions"], ["usage"]]) {
      const { stdout, stderr } = await run(args, { home, env });
      expect(`${stdout}${stderr}`.match(/[^\n\x20-\x7e]/gu) ?? []).toEqual([]);
      expect(stdout).not.toBe("");
    }
  });

  test("and show agree which parents are missing", async () => {
    const home = testHome();
    const builder = new TranscriptBuilder({ cwd: home.cwd });
    builder.prompt("Before");
    builder.reply("Yes");
    const { path: file, sessionId } = builder.write(home.configDir);
    const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n");
    // A session that goes on with another file's: its first line has a parent there.
    const first = {
      ...(JSON.parse(lines[0]!) as object),
      parentUuid: "00000000-0000-4000-8000-000000000000",
    };
    fs.writeFileSync(file, `${[JSON.stringify(first), ...lines.slice(1)].join("\n")}\n`);
    expect((await run(["doctor"], { home })).stdout).toContain("no parent is missing");
    expect((await run(["show", sessionId], { home })).stderr).toBe("");
    const last = { ...(JSON.parse(lines[1]!) as object), parentUuid: "00000000-0000-4000-8000-000000000000" };
    fs.writeFileSync(file, `${[lines[0], JSON.stringify(last)].join("\n")}\n`);
    expect((await run(["doctor"], { home })).stdout).toContain("1 entry whose parent is missing");
    expect((await run(["show", sessionId], { home })).stderr).toContain("1 message has a missing parent");
  });
});

describe("an error says what to do next", () => {
  test.each([
    [["logs"], "`holdfast ps -a` lists tasks; @last is the newest"],
    [["stop"], "`holdfast ps` lists what runs"],
    [["show"], "`holdfast sessions` lists sessions; @last is the newest"],
    [["ps", "mine"], "Too many arguments: ps takes no arguments, not 1\n"],
    [["agent", "Fix", "the tests"], "agent takes 1 argument, not 2; in quotes they are one: 'Fix the tests'"],
    [["rename", "1b3e", "Plan", "B"], "in quotes they are one: 'Plan B'"],
    [["ps", "--nope"], "Unknown option '--nope'\n"],
  ])("%j", async (args, said) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
  });

  test("about an id of the other kind, by the command that takes it", async () => {
    await using home = taskHome();
    const builder = new TranscriptBuilder({ cwd: home.cwd });
    builder.prompt("Hello");
    const { sessionId } = builder.write(home.configDir);
    const id = await home.start("--wait", "--name", "build", "true");
    for (const verb of ["logs", "stop", "wait"])
      expect((await home.holdfast(verb, sessionId)).stderr).toContain(
        `\nIt is a session: holdfast show ${sessionId.slice(0, 8)}\n`,
      );
    expect(await home.holdfast("show", id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`\nIt is a task: holdfast logs ${id}\n`) as string,
    });
    const typo = await home.holdfast("logs", "biuld");
    expect(typo.stderr).toContain("\nDid you mean:\n  build  now  true\n");
    const command = await home.holdfast("resume", id);
    expect(command.stderr).toContain(`\nTry: holdfast restart ${id}\n`);
    // Whether or not there is an agent that could go on with it.
    expect((await home.holdfast("resume", "nothing")).code).toBe(3);
  });
});

test("in the locale C, the bars of usage are ASCII, and what is said breaks between words", async () => {
  await using home = taskHome({ LC_ALL: "C" });
  const builder = new TranscriptBuilder({ cwd: home.cwd });
  builder.prompt("Hello");
  builder.reply("Hi");
  builder.write(home.configDir);
  const other = new TranscriptBuilder({ cwd: `${home.cwd}/a/folder/with/a/long/name`, seed: "other" });
  other.prompt("Hello");
  other.write(home.configDir);
  const terminal = home.spawnOnTerminal(["usage"]);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen).toMatch(/#{16}/);
  expect(terminal.screen.match(/[^\x00-\x7f]/gu)).toBeNull();
  const narrow = home.spawnOnTerminal(
    ["search", "nothing-like-it", "--project", "a/folder/with/a/long/name"],
    {
      columns: 24,
      rows: 20,
    },
  );
  expect(await narrow.ended()).toBe(0);
  expect(narrow.screen).toContain("1 more session on this\r\nmachine: --all");
});

test("recover cuts no path, and names what a task was though the window is narrow", async () => {
  await using home = taskHome();
  const id = await home.start("--description", "a description", "sleep 1000");
  const { stdout } = await run(["recover"], { home, env: { COLUMNS: "40" } });
  expect(stdout).toContain(`  ${id}  running  started now\n      a description\n`);
  expect(stdout).toMatch(new RegExp(`^ {6}/.*/${id}\\.output$`, "m"));
});
