import fs from "node:fs";

/** The shells that wait for requests of a process, or serve one: supervisors, which they become, have let go of its pipes. */
export function residentLaunchersOf(client: number): number[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isLauncherOf(pid, client) && hasPipes(pid));
}

// sh -s TEXT BEGIN CLIENT …, or sh -c BEGIN sh TEXT BEGIN CLIENT …, perhaps still on its way by setsid.
function isLauncherOf(pid: number, client: number): boolean {
  try {
    const words = fs.readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
    const text = words.findIndex((word) => word.startsWith("# The resident launcher"));
    return text >= 0 && words[text + 2] === String(client);
  } catch {
    return false;
  }
}

function hasPipes(pid: number): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return fs.readdirSync(folder).some((fd) => fs.readlinkSync(`${folder}/${fd}`).startsWith("socket:"));
  } catch {
    return false;
  }
}
