// From exit to ending known in the parent, which the kernel tells: waitpid-notice.mjs FOLDER COUNT STAMP
import { spawn } from "node:child_process";
import { once } from "node:events";
import { measureNotices } from "./measure-notices.mjs";

const [folder, count, stamp] = process.argv.slice(2);

await measureNotices({ folder, count: Number(count), stamp }, async ([program, ...args]) => {
  const [exitCode] = await once(spawn(program, args, { stdio: "ignore" }), "exit");
  return exitCode;
});
