import fs from "node:fs";

/** How many threads of ours this process has: those of a worker have this name, the others belong to Node itself. */
export function threadCount(): number {
  const ids = fs.readdirSync("/proc/self/task");
  return ids.filter((id) => fs.readFileSync(`/proc/self/task/${id}/comm`, "utf8") === "WorkerThread\n")
    .length;
}
