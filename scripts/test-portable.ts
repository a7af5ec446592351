// Runs tests on machines of another make, one after the other: without /proc and with the tools of a BSD, or with those of
// Alpine, with any of six shells as /bin/sh (docs/platforms.md). Needs root on Linux.
//
//   npm run test:portable                                  the tests of tasks without /proc, with dash
//   npm run test:portable -- --shell zsh --shell mksh      the same with these shells; --shell all: with all
//   npm run test:portable -- --make busybox FILE…          these test files with busybox's tools in /bin and /usr/bin
//   npm run test:portable -- --exec COMMAND…               any command
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  findProgram,
  machineMakes,
  machineShells,
  onMachine,
  whyNoMachine,
  type OtherMachine,
} from "../test/support/other-machine.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const TASKS = [
  "src/lib/process",
  "src/lib/lease",
  "src/lib/ps-table",
  "src/tasks",
  "test/e2e/tasks-",
  "test/crash/tasks-kill",
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    shell: { type: "string", multiple: true, default: ["dash"] },
    make: { type: "string", default: "bsd" },
    exec: { type: "boolean", default: false },
  },
});
const why = whyNoMachine();
if (why !== undefined) fail(why);
const make = machineMakes.find((each) => each === values.make);
if (make === undefined) fail(`unknown make "${values.make}"; known: ${machineMakes.join(", ")}`);
const shells = values.shell.includes("all") ? machineShells : values.shell;
const missing = shells.filter((shell) => findProgram(shell) === undefined);
if (missing.length > 0) process.stdout.write(`not installed, hence not tested: ${missing.join(", ")}\n`);
const command = values.exec
  ? positionals
  : [process.execPath, vitest, "run", ...(positionals.length > 0 ? positionals : TASKS)];

let code = 0;
for (const shell of shells.filter((each) => !missing.includes(each))) {
  process.stdout.write(`${make}, sh is ${shell}\n`);
  code = runOn({ make, shell }) || code;
}
process.exitCode = missing.length === shells.length ? 1 : code;

function runOn(machine: Pick<OtherMachine, "make" | "shell">): number {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-machine-"));
  const [program = "", ...args] = onMachine({ ...machine, folder }, command);
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  fs.rmdirSync(folder);
  return status ?? 1;
}

function fail(text: string): never {
  process.stderr.write(`test:portable: ${text}\n`);
  process.exit(1);
}
