// Launches by a bare spawn, which nothing records: see measure-launches.mjs
import { spawn } from "node:child_process";
import { once } from "node:events";
import { measureLaunches } from "./measure-launches.mjs";

const [folder, count, megabytes] = process.argv.slice(2);

await measureLaunches({ folder, count: Number(count), megabytes: Number(megabytes) }, async (command) => {
  const child = spawn("/bin/sh", ["-c", command], { stdio: "ignore", detached: true });
  const exited = once(child, "exit");
  await once(child, "spawn");
  return () => exited;
});
