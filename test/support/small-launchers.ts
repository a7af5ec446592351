import fs from "node:fs";

/** The small processes that start supervisors for a process, also when that one is gone. */
export function smallLaunchersOf(client: number): number[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isLauncherOf(pid, client));
}

// sh -c LOOP holdfast-launcher TEXT CLIENT
function isLauncherOf(pid: number, client: number): boolean {
  try {
    const words = fs.readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
    return words[3] === "holdfast-launcher" && words[5] === String(client);
  } catch {
    return false;
  }
}
