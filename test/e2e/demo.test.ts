import fs from "node:fs";
import os from "node:os";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../../src/doors/cli/render/display-width.ts";
import { testHome } from "../support/index.ts";
import { run } from "./cli.ts";

describe("holdfast demo", () => {
  test("tells what it checked, finds it so, and leaves nothing behind", async () => {
    const home = testHome();
    const before = new Set(fs.readdirSync(os.tmpdir()));
    const { code, stdout, stderr } = await run(["demo"], { home, env: { COLUMNS: "90" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/✓ all \d+ entries that it was told are safe are in the conversation/);
    expect(stdout).toMatch(/\n\d+ claims, all so, in /);
    expect(stdout).not.toContain("✗");
    expect(stdout.split("\n").filter((line) => displayWidth(line) > 90)).toEqual([]);
    const left = fs
      .readdirSync(os.tmpdir())
      .filter((name) => name.startsWith("holdfast-demo-") && !before.has(name));
    expect(left).toEqual([]);
    expect([fs.existsSync(home.configDir), fs.existsSync(home.home)]).toEqual([false, false]);
  });
});
