import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runUnder, supervisorFunctions } from "../../../test/support/supervisor-functions.ts";
import { supervisorShells } from "../../../test/support/task-world.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";

const functions = supervisorFunctions({ waitsForOthers: true });

/** A folder with named pipes, and a number that no process has any more. */
function lineWith(...names: string[]): { dir: string; gone: number } {
  const dir = tempDir();
  for (const name of names) spawnSync("mkfifo", [path.join(dir, name)]);
  return { dir, gone: spawnSync("true").pid };
}

describe.each(supervisorShells)("the script under %s", (program) => {
  const run = (script: string, env?: NodeJS.ProcessEnv): string =>
    runUnder(program, `${functions}\n${script}`, env).trim();

  const charge = `identify() { _start=1 _boot=b; }
    write_ending() { echo "$1"; }
    _base=$BASE _is_full=
    take_charge
    echo "in charge"`;

  test("leaves a task to who is in charge of it, and writes no ending for it", () => {
    const base = path.join(tempDir(), "b1");
    fs.writeFileSync(`${base}.json`, "{}");
    expect([run(charge, { BASE: base }), run(charge, { BASE: base })]).toEqual(["in charge", ""]);
  });

  test("does not begin a launch that was withdrawn", () => {
    const base = path.join(tempDir(), "b1");
    expect(run(charge, { BASE: base })).toBe("");
    expect(fs.existsSync(`${base}.run`)).toBe(false);
  });

  test("writes the ending of a task for whose files there is no room", () => {
    const base = path.join(tempDir(), "no", "such", "folder", "b1");
    expect(run(charge, { BASE: base })).toContain("there was no room for its files");
  });

  const wake = `_waiting=$LINE\nkill() { [ "$2" != "$GONE" ]; }\nwake_waiting`;

  test("removes the pipe of a waiting task that was killed", () => {
    const { dir, gone } = lineWith("after.1.b2.7");
    fs.renameSync(path.join(dir, "after.1.b2.7"), path.join(dir, `after.1.b2.${gone}`));
    run(wake, { LINE: dir, GONE: String(gone) });
    expect(fs.readdirSync(dir)).toEqual([]);
  });

  test("removes the file that it made in the place of a pipe which its owner removed", () => {
    const { dir } = lineWith("after.1.b2.7");
    run(`echo() { rm "$_file"; : > "$_file"; }\n${wake}`, { LINE: dir, GONE: "0" });
    expect(fs.readdirSync(dir)).toEqual([]);
  });

  const place = `_waiting=$LINE _running=$RUNNING _pipe=$LINE/line.1.b1.7 _taking=$LINE/taking.1.b1.7 _turn=line.1.b1 _slots=1 _marked=
    kill() { [ "$2" != "$GONE" ]; }
    wake_waiting() { echo woken; }`;

  test("passes over the dead in its line, and removes them", () => {
    const { dir, gone } = lineWith("line.1.b1.7", "line.0.b0.8");
    fs.renameSync(path.join(dir, "line.0.b0.8"), path.join(dir, `line.0.b0.${gone}`));
    const env = { LINE: dir, RUNNING: tempDir(), GONE: String(gone) };
    expect(run(`${place}\nis_first && echo first`, env)).toBe("first");
    expect(fs.readdirSync(dir)).toEqual(["line.1.b1.7"]);
  });

  test("says that it takes a place before it counts, and makes way for a rival, whom it wakes", () => {
    const { dir } = lineWith("line.1.b1.7", "line.2.b2.8");
    fs.writeFileSync(path.join(dir, "taking.2.b2.8"), "");
    const running = tempDir();
    for (const id of ["b1", "b2"]) fs.writeFileSync(path.join(running, `p.${id}`), "");
    const count = `has_place() { [ -e "$_taking" ] && echo said; _rival=1; false; }`;
    const env = { LINE: dir, RUNNING: running, GONE: "0" };
    expect(run(`${place}\n${count}\ntake_place || echo waits`, env).split("\n")).toEqual([
      "said",
      "said",
      "woken",
      "waits",
    ]);
    const busy = "is_busy() { :; }";
    expect(run(`${place}\n${busy}\ntake_place || echo waits`, env).split("\n")).toEqual(["woken", "waits"]);
    expect(fs.existsSync(path.join(dir, "taking.1.b1.7"))).toBe(false);
  });

  test("counts no task that has ended but is still in running/", () => {
    const { dir } = lineWith("line.1.b1.7");
    const running = tempDir();
    for (const id of ["b1", "b3"]) fs.writeFileSync(path.join(running, `p.${id}`), "");
    const env = { LINE: dir, RUNNING: running, GONE: "0" };
    const own = `is_busy() { [ "\${1##*/}" = b1 ]; }`;
    expect(run(`${place}\n${own}\ntake_place && echo takes`, env)).toBe("takes");
  });
});
