// From exit to ending known in a process that did not launch it: holdfast-notice.mjs HOME COUNT STAMP [behind]
// With `behind` it is the exit of a child that the command left behind.
import path from "node:path";
import { openRuntime } from "holdfast";
import { openLauncher } from "./other-launcher.mjs";
import { measureNotices } from "./measure-notices.mjs";

const [home, count, stamp, behind] = process.argv.slice(2);
const { tasks } = openRuntime({ home, configDir: path.join(home, "config") });
const launcher = openLauncher(home);

await measureNotices({ folder: home, count: Number(count), stamp }, async (argv) => {
  const task = await tasks.find(await launcher.launch(`${argv.join(" ")}${behind ? " &" : ""}`));
  const { exitCode } = await tasks.wait(task);
  return exitCode;
});
launcher.close();
