import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { commandReference } from "../../scripts/command-reference.ts";
import { walkCommands } from "../../src/doors/cli/walk-commands.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const reference = await commandReference();
const commands = await walkCommands();
const hasMan = spawnSync("man", ["--version"]).status === 0;

describe("the reference of commands", () => {
  test.each(Object.entries(reference))("%s is what `npm run reference` makes", (name, made) => {
    expect(fs.readFileSync(path.join(root, name), "utf8")).toBe(made);
  });

  test("explains every command and subcommand, with links that lead somewhere", () => {
    const text = reference["docs/reference/commands.md"]!;
    expect(commands.filter(({ path: typed }) => !text.includes(`\n### holdfast ${typed}\n`))).toEqual([]);
    const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);
    const anchors = new Set(titles.map((title) => title.toLowerCase().replaceAll(" ", "-")));
    const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(links.filter((anchor) => !anchors.has(anchor!))).toEqual([]);
  });

  test("is in the package, where npm tells man of it", () => {
    const { man, files } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
      man: string[];
      files: string[];
    };
    expect(man).toEqual(["man/holdfast.1"]);
    expect(files).toContain("man");
  });

  test.skipIf(!hasMan)("man renders it without a warning, inside 80 columns (skipped without man)", () => {
    const { status, stdout, stderr } = spawnSync("man", ["--warnings", "-l", "man/holdfast.1"], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, MANWIDTH: "80", MANPAGER: "cat", LC_ALL: "C.UTF-8" },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("holdfast fleet up [options]");
    expect(stdout).toContain("--older-than <time>");
    const plain = stdout.replace(/.\u0008/g, "");
    // An example is a line that can be copied, however long it is.
    const wide = plain.split("\n").filter((line) => line.length > 80 && !line.trim().startsWith("holdfast"));
    expect(wide).toEqual([]);
  });
});
