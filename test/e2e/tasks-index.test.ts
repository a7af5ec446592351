import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { holdfastPaths } from "../../src/format/paths.ts";
import { tempDir } from "../support/index.ts";
import { writeEndedTask } from "../support/ended-task.ts";
import { run } from "./cli.ts";
import { hookHome } from "./hook-cli.ts";
import { taskHome } from "./task-cli.ts";

/** Variables with which a command says on stderr that it loads SQLite. */
function tellingOfSqlite(): Record<string, string> {
  const file = path.join(tempDir(), "tell.cjs");
  fs.writeFileSync(
    file,
    `const load = process.getBuiltinModule;
     process.getBuiltinModule = (id) => {
       if (id === "node:sqlite") require("node:fs").writeSync(2, "loads SQLite\\n");
       return load.call(process, id);
     };`,
  );
  return { NODE_OPTIONS: `--require=${file}` };
}

describe("the index of ended tasks", () => {
  test("is not opened by ps without -a, run without --after, a command for an id, and hooks", async () => {
    await using home = hookHome();
    const env = tellingOfSqlite();
    const holdfast = (...args: string[]): ReturnType<typeof run> => run(args, { home, env });
    const id = (await holdfast("run", "--wait", "--session", "s-1", "--", "true")).stdout.trim();
    const runs = [
      await holdfast("run", "--", "true"),
      await holdfast("ps"),
      await holdfast("logs", id),
      await holdfast("inspect", id),
      await holdfast("wait", id),
      await holdfast("stop", id),
      await home.send("SessionStart", { source: "startup" }, { env }),
      await home.send("UserPromptSubmit", { prompt: "x" }, { env }),
      await home.send("Stop", {}, { env }),
      await home.send("SessionEnd", {}, { env }),
    ];
    expect(runs.map(({ code, stderr }) => `${code} ${stderr.includes("SQLite")}`)).toEqual(
      runs.map(() => "0 false"),
    );
    expect(fs.existsSync(holdfastPaths(home.home).indexDir)).toBe(false);
    expect((await holdfast("ps", "-a")).stderr).toContain("loads SQLite");
  });

  test("says when it is of no use, and the answer is right all the same", async () => {
    await using home = taskHome();
    for (const n of [1, 2, 3]) writeEndedTask(home.home, { id: `b0000000${n}`, second: n });
    const ids = "b00000003\nb00000002\nb00000001\n";
    expect(await home.holdfast("ps", "-a", "-q")).toMatchObject({ code: 0, stdout: ids, stderr: "" });
    const file = path.join(holdfastPaths(home.home).indexDir, "index.db");
    fs.writeFileSync(file, Buffer.alloc(9000, "x"));
    expect(await home.holdfast("ps", "-a", "-q")).toMatchObject({
      code: 0,
      stdout: ids,
      stderr: "holdfast: The index was damaged. It is rebuilt; this answer comes from the files.\n",
    });
    expect(await home.holdfast("logs", "@last")).toMatchObject({ code: 0, stderr: "" });
  });

  test("is not shown more than a window holds, with a word about the rest", async () => {
    await using home = taskHome();
    for (let n = 0; n < 60; n++)
      writeEndedTask(home.home, { id: `b${String(n).padStart(8, "0")}`, second: n });
    const shown = home.spawnOnTerminal(["ps", "-a"]);
    await shown.shows("Showing the newest 50; ask for more with --limit.");
    expect(await shown.ended()).toBe(0);
    expect(shown.screen).toContain("b00000010");
    expect(shown.screen).not.toContain("b00000009");
    expect((await home.holdfast("ps", "-a")).stdout.trim().split("\n")).toHaveLength(61);
  });
});
