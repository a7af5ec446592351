// Launches by Holdfast; acknowledged when the record is synced and the supervisor runs: see measure-launches.mjs
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "holdfast";
import { measureLaunches } from "./measure-launches.mjs";

const [home, count, megabytes] = process.argv.slice(2);
fs.mkdirSync(home, { recursive: true, mode: 0o700 });
const runtime = openRuntime({ home, configDir: path.join(home, "config"), env: process.env });

await measureLaunches(
  { folder: home, count: Number(count), megabytes: Number(megabytes) },
  async (command) => {
    const task = await runtime.tasks.start({ command, cwd: home });
    return () => runtime.tasks.wait(task);
  },
);
await runtime.close();
