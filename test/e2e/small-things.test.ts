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
    expect((await run(["doctor"], { home })).stdout).toContain("every parent is there");
    expect((await run(["show", sessionId], { home })).stderr).toBe("");
    const last = { ...(JSON.parse(lines[1]!) as object), parentUuid: "00000000-0000-4000-8000-000000000000" };
    fs.writeFileSync(file, `${[lines[0], JSON.stringify(last)].join("\n")}\n`);
    expect((await run(["doctor"], { home })).stdout).toContain("1 entry whose parent is missing");
    expect((await run(["show", sessionId], { home })).stderr).toContain("1 message has a missing parent");
  });
});
