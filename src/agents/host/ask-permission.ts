import { randomUUID } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { questionInput } from "../../tasks/kinds/agent/question-input.ts";
import { waitForAnswer, writeAllowed } from "../../tasks/kinds/agent/permission-answer.ts";
import type { TaskFiles } from "../../tasks/record/task-files.ts";
import type { AgentHostPorts } from "./drive-runner.ts";
import type { PermissionJudge } from "./permission-judge.ts";

export interface PermissionOptions {
  judge: PermissionJudge;
  files: TaskFiles;
  clock: Clock;
}

/** How the questions of one task are answered: by its judge, or by whoever looks at the task. */
export function permissionAsker({ judge, files, clock }: PermissionOptions): AgentHostPorts["askPermission"] {
  // One question at a time: a person answers one at a time.
  let last: Promise<unknown> = Promise.resolve();
  return async (request, { signal, onNeeded }) => {
    // In the order in which they are asked, whatever each takes to be judged.
    const before = last;
    const atOnce = judge.decide(request);
    const answer = (async () => {
      const decided = await atOnce;
      if (decided) return decided;
      await before;
      signal.throwIfAborted();
      // What was answered meanwhile may hold for this one, too.
      const known = await judge.decide(request);
      if (known) return known;
      // Never used before: no answer to another question can be taken for one to this.
      const requestId = randomUUID().slice(0, 8);
      const { toolUseId, tool, title, said, input } = request;
      const since = clock.now().toISOString();
      const words = said === undefined ? {} : { said };
      onNeeded({ requestId, toolUseId, tool, title, ...words, ...questionInput(input), since });
      try {
        const given = await waitForAnswer(files, { requestId, signal });
        if (given.behavior === "allow" && given.always) writeAllowed(files, await judge.approve(request));
        return given;
      } finally {
        onNeeded(undefined);
      }
    })();
    last = Promise.allSettled([before, answer]);
    return answer;
  };
}
