import fs from "node:fs";
import os from "node:os";
import { inotifyInstancesMin, inotifyWatchesMin } from "./limits.ts";
import { codeOf } from "../../lib/errors.ts";
import type { Suggestion } from "../../lib/suggestion.ts";
import type { HealthCheck } from "../health-check.ts";

const ROOT = "/proc/sys/fs/inotify";

/** Whether changes of files can be watched. Without it everything still works, a second later. */
export const inotifyLimits: HealthCheck = {
  name: "inotify",
  group: "environment",
  run() {
    if (process.platform !== "linux") return { status: "ok", summary: "not needed on this system" };
    const refused = tryWatch();
    const [watches, instances] = [readNumber("max_user_watches"), readNumber("max_user_instances")];
    const suggestion: Suggestion = {
      program: "sudo",
      args: [
        "sysctl",
        `fs.inotify.max_user_watches=${inotifyWatchesMin * 8}`,
        `fs.inotify.max_user_instances=${inotifyInstancesMin * 4}`,
      ],
    };
    if (refused) return { status: "warn", summary: `no more files can be watched (${refused})`, suggestion };
    if (watches < inotifyWatchesMin || instances < inotifyInstancesMin)
      return {
        status: "warn",
        summary: `only ${watches} watches in ${instances} instances are allowed`,
        suggestion,
      };
    return { status: "ok", summary: `${watches} watches in ${instances} instances` };
  },
};

// Others may have used them all up.
function tryWatch(): string | undefined {
  try {
    fs.watch(os.tmpdir()).close();
    return undefined;
  } catch (error) {
    return codeOf(error) ?? String(error);
  }
}

// A container may hide it; then only the attempt counts.
function readNumber(name: string): number {
  try {
    return Number(fs.readFileSync(`${ROOT}/${name}`, "latin1"));
  } catch {
    return Infinity;
  }
}
