import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { commandAliases, commandList, everydayCommands } from "../../src/doors/cli/command-list.ts";
import { testHome } from "../support/index.ts";
import { run, runJson } from "./cli.ts";

const home = testHome();

describe("holdfast help", () => {
  test("alone shows what is used every day, on one screen of 80x24", async () => {
    const env = { COLUMNS: "80" };
    const [bare, flag, verb] = await Promise.all([
      run([], { home, env }),
      run(["--help"], { home, env }),
      run(["help"], { home, env }),
    ]);
    expect(bare).toEqual({ code: 0, signal: null, stdout: flag?.stdout, stderr: "" });
    expect(verb?.stdout).toBe(flag?.stdout);
    const lines = (bare?.stdout ?? "").split("\n");
    // The last line is empty, and there the next prompt stands.
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const everyday = everydayCommands.flatMap(({ names }) => names);
    expect(everyday).toHaveLength(11);
    expect(lines.flatMap((line) => /^ {2}(\w+) {2,}\S/.exec(line)?.[1] ?? [])).toEqual(everyday);
    expect(bare?.stdout).toContain("holdfast help --all");
  });

  test("--all explains everything: what, usage, examples, then the rest with the exit codes", async () => {
    const { code, stdout } = await run(["help", "--all"], { home });
    expect(code).toBe(0);
    const parts = [
      "holdfast:",
      "Usage:",
      "Examples:",
      "Commands:",
      "Options:",
      "Environment:",
      "Exit codes: 0 ok, 1 failed",
    ];
    const places = parts.map((part) => stdout.indexOf(part));
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(places[0]).toBe(0);
    expect(commandList.filter(({ name }) => !stdout.includes(`\n  ${name} `))).toEqual([]);
    expect(await run(["help", "--all", "ps"], { home })).toMatchObject({ code: 2, stdout: "" });
  });

  test("takes the names that people type for those that are meant", async () => {
    for (const [alias, name] of Object.entries(commandAliases)) {
      const meant = await run(["help", name], { home });
      // A flag is no word that help could be asked about.
      const asked = alias.startsWith("-") ? name : alias;
      expect(await run(["help", asked], { home })).toEqual(meant);
      expect(meant.stdout).toContain(`or: holdfast ${alias}\n`);
    }
    const { json } = await runJson(["ls"], { home });
    expect(json.sessions).toEqual([]);
    const up = await run(["help", "fleet", "up"], { home });
    expect(up.stdout).toContain("Usage: holdfast fleet up [options]");
  });

  test.each(commandList.map(({ name }) => name))(
    "explains %s the same way, with three examples first, inside 100 columns",
    async (name) => {
      const { code, stdout, stderr } = await run(["help", name], { home, env: { COLUMNS: "100" } });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const [what, usage, examples = "", ...rest] = stdout.split("\n\n");
      expect(what).toMatch(new RegExp(`^holdfast ${name}: .+$`));
      expect(usage).toMatch(new RegExp(`^Usage: holdfast ${name} `));
      const lines = examples.split("\n");
      expect(lines[0]).toBe("Examples:");
      expect(lines.filter((line) => /^ {2}\S/.test(line))).toHaveLength(3);
      expect(rest.join("\n")).toMatch(/--json[\s\S]*Exit codes:/);
      expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
    },
  );

  test("fits a narrow window, and lists the commands for programs", async () => {
    const { stdout } = await run(["show", "--help"], { home, env: { COLUMNS: "50" } });
    expect(stdout.split("\n").filter((line) => line.length > 50 && !line.startsWith("  holdfast"))).toEqual(
      [],
    );
    const { json } = await runJson(["help"], { home });
    expect(json.commands.map(({ name }) => name)).toEqual(commandList.map(({ name }) => name));
  });

  test("--version prints the version of the package", async () => {
    const { version } = JSON.parse(
      fs.readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    ) as { version: string };
    for (const typed of ["--version", "-V", "-v", "version"])
      expect(await run([typed], { home })).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});
