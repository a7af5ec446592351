// Launches by task-spooler, acknowledged when its client has handed the command to its server: see measure-launches.mjs
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { measureLaunches } from "./measure-launches.mjs";

const [folder, count] = process.argv.slice(2);
const env = { ...process.env, TS_SOCKET: path.join(folder, "socket"), TMPDIR: folder };
const client = async (...args) => {
  const child = spawn("tsp", args, { stdio: "ignore", env });
  await once(child, "exit");
};

try {
  await measureLaunches({ folder, count: Number(count) }, async (command) => {
    await client("sh", "-c", command);
    return () => client("-w");
  });
} finally {
  spawnSync("tsp", ["-K"], { env });
}
