// From exit to ending known in a process that did not launch it: holdfast-notice.mjs HOME COUNT STAMP [behind | CHURN]
// With `behind` it is the exit of a child that the command left behind. CHURN is a program (churn.c): with it 300 other
// processes are there, and one is born every 4 ms.
import { spawn } from "node:child_process";
import path from "node:path";
import { openRuntime } from "holdfast";
import { openLauncher } from "./other-launcher.mjs";
import { measureNotices } from "./measure-notices.mjs";

const [home, count, stamp, beside] = process.argv.slice(2);
const behind = beside === "behind";
const churn = beside && !behind && spawn(beside, ["300", "4"], { stdio: ["pipe", "ignore", "inherit"] });
const { tasks } = openRuntime({ home, configDir: path.join(home, "config") });
const launcher = openLauncher(home);

await measureNotices({ folder: home, count: Number(count), stamp }, async (argv) => {
  const task = await tasks.find(await launcher.launch(`${argv.join(" ")}${behind ? " &" : ""}`));
  const { exitCode } = await tasks.wait(task);
  return exitCode;
});
launcher.close();
if (churn) churn.stdin.end();
