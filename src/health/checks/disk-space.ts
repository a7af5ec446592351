import fs from "node:fs";
import path from "node:path";
import { diskFreeBytesFail, diskFreeBytesWarn } from "./limits.ts";
import type { HealthCheck, Finding } from "../health-check.ts";

/** Room on the disks of the home and of the config folder: a full one stops sessions from being written. */
export const diskSpace: HealthCheck = {
  name: "disk",
  group: "environment",
  run({ home, configDir }) {
    const places = [home, configDir].map((dir) => ({ dir, free: freeBytes(dir) }));
    const least = Math.min(...places.map(({ free }) => free));
    const gigabytes = `${(least / 1e9).toFixed(1)} GB free`;
    if (least >= diskFreeBytesWarn) return { status: "ok", summary: gigabytes };
    const findings: Finding[] = places
      .filter(({ free }) => free < diskFreeBytesWarn)
      .map(({ dir, free }) => ({ text: `${(free / 1e6).toFixed(0)} MB free at ${dir}`, path: dir }));
    return {
      status: least < diskFreeBytesFail ? "fail" : "warn",
      summary: `only ${gigabytes}`,
      findings,
      suggestion: { verb: "prune" },
    };
  },
};

function freeBytes(dir: string): number {
  let at = dir;
  // The folder that is there: of one that is not made yet, the one that it will be in.
  while (!fs.existsSync(at) && path.dirname(at) !== at) at = path.dirname(at);
  const { bavail, bsize } = fs.statfsSync(at);
  return bavail * bsize;
}
