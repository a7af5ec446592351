import fs from "node:fs";

/** The resident launchers that are children of a process: shells that read their script from stdin. */
export function residentLaunchersOf(parent: number): number[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
        const ppid = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
        return ppid === parent && fs.readFileSync(`/proc/${pid}/cmdline`, "latin1") === "/bin/sh\0-s\0";
      } catch {
        return false;
      }
    });
}
