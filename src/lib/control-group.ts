import fs from "node:fs";

/** Where systems have cgroup v2: alone, or beside v1. */
const roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];

let mayMake: boolean | undefined;

/**
 * Whether this process may make control groups (cgroup v2) in its own, as in a user's scope that systemd has delegated. Not in
 * the root group, which is nobody's own. Asked once.
 */
export function mayMakeControlGroups(): boolean {
  return (mayMake ??= isOwnGroupWritable());
}

function isOwnGroupWritable(): boolean {
  const path = controlGroupOf("self");
  if (path === "" || path === "/") return false;
  return roots.some((root) => isWritable(`${root}${path}`) && isWritable(`${root}${path}/cgroup.procs`));
}

/** The control group of a process, by its path in cgroup v2; empty where there is none. */
export function controlGroupOf(pid: number | "self"): string {
  try {
    return /^0::(.*)$/m.exec(fs.readFileSync(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "";
  } catch {
    return "";
  }
}

function isWritable(path: string): boolean {
  try {
    fs.accessSync(path, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
