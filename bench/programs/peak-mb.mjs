import fs from "node:fs";

/** The most memory that a process ever had resident. */
export function peakMb(pid) {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
  return (Number(kilobytes) * 1024) / 1e6;
}
