import fs from "node:fs";
import { listAgentTasks } from "../../tasks/list/list-tasks.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import type { HealthCheck } from "../health-check.ts";

/** Outputs of tasks that are links to a transcript which is gone. */
export const danglingLinks: HealthCheck = {
  name: "dangling-links",
  group: "tasks",
  run({ home }) {
    const dangling = listAgentTasks(home)
      .map(({ files }) => files)
      .filter(leadsNowhere);
    if (dangling.length === 0) return { status: "ok", summary: "every output exists" };
    return {
      status: "warn",
      summary: `${dangling.length} ${dangling.length === 1 ? "output leads" : "outputs lead"} to a file that is gone`,
      findings: dangling.map(({ id, output }) => ({
        text: `${id}: ${targetOf(output)}`,
        path: output,
        taskId: id,
      })),
      suggestion: { verb: "rm", args: [dangling.length === 1 ? dangling[0]!.id : "<task>"] },
    };
  },
};

function leadsNowhere({ output }: TaskFiles): boolean {
  const isLink = fs.lstatSync(output, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && !fs.existsSync(output);
}

function targetOf(link: string): string {
  try {
    return fs.readlinkSync(link);
  } catch {
    return "gone";
  }
}
