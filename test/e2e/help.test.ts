import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { commandList } from "../../src/doors/cli/command-list.ts";
import { testHome } from "../support/index.ts";
import { run, runJson } from "./cli.ts";

const home = testHome();

describe("holdfast help", () => {
  test("explains itself: what, usage, examples, then the rest with the exit codes", async () => {
    const [bare, flag, verb] = await Promise.all([
      run([], { home }),
      run(["--help"], { home }),
      run(["help"], { home }),
    ]);
    expect(bare).toEqual({ code: 0, signal: null, stdout: flag?.stdout, stderr: "" });
    expect(verb?.stdout).toBe(flag?.stdout);
    const parts = [
      "holdfast:",
      "Usage:",
      "Examples:",
      "Commands:",
      "Options:",
      "Environment:",
      "Exit codes: 0 ok, 1 failed",
    ];
    const places = parts.map((part) => flag?.stdout.indexOf(part) ?? -1);
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(places[0]).toBe(0);
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
    expect(await run(["--version"], { home })).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});
