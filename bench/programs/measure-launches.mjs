// What the launch programs share: LAUNCH_PROGRAM FOLDER COUNT [MEGABYTES] launches COUNT commands, one after the other,
// out of a process of so many megabytes. Each appends its number to a file, so that all sides must run the same.
import fs from "node:fs";
import path from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { p50 } from "./p50.mjs";
import { report } from "./report.mjs";

// The first launches load code and, from a large process, start a small one that launches from then on.
const WARM_UP_LAUNCHES = 5;
// In these the event loop gets over what the command before has left in it, which is no part of this launch.
const TURNS_BETWEEN = 3;

/**
 * `launch` is given a command and resolves when the launch is acknowledged, with a function that resolves when the
 * command has ended. Everything else stands still meanwhile: the call has blocked the event loop until the loop turns,
 * and the time in which it was busy (did not wait in the kernel) until the acknowledgement is all that the launch took.
 */
export async function measureLaunches({ folder, count, megabytes = 0 }, launch) {
  const ballast = growTo(megabytes * 1e6);
  const ran = path.join(folder, "ran");
  fs.writeFileSync(ran, "");
  await report({
    work: async () => {
      const launches = [];
      for (let number = 0; number < WARM_UP_LAUNCHES + count; number++) {
        for (let turn = 0; turn < TURNS_BETWEEN; turn++) await immediate();
        const before = performance.eventLoopUtilization();
        const started = performance.now();
        const launching = launch(`echo ${number} >> '${ran}'`);
        await immediate();
        const blockedMs = performance.now() - started;
        const ended = await launching;
        const launchMs = performance.now() - started;
        const busyMs = performance.eventLoopUtilization(before).active;
        if (number >= WARM_UP_LAUNCHES) launches.push({ launchMs, blockedMs, busyMs });
        await ended();
      }
      return launches;
    },
    figuresOf: (launches) => ({
      launchMs: p50(launches.map(({ launchMs }) => launchMs)),
      blockedMs: p50(launches.map(({ blockedMs }) => blockedMs)),
      busyMs: p50(launches.map(({ busyMs }) => busyMs)),
      ballastBytes: ballast.reduce((sum, { length }) => sum + length, 0),
    }),
    resultOf: () => fs.readFileSync(ran, "utf8").trim().split("\n"),
  });
}

// Of ones: pages of zeroes might not be there at all.
function growTo(bytes) {
  const ballast = [];
  while (process.memoryUsage.rss() < bytes) ballast.push(Buffer.alloc(10e6, 1));
  return ballast;
}
