import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { permissionAsker } from "../../src/agents/host/ask-permission.ts";
import { PermissionJudge } from "../../src/agents/host/permission-judge.ts";
import { questionLines } from "../../src/conversation/question-lines.ts";
import { readProgress, type NeededInput } from "../../src/tasks/kinds/agent/agent-progress.ts";
import { answerPermission, waitForAnswer } from "../../src/tasks/kinds/agent/permission-answer.ts";
import { taskFiles, type TaskFiles } from "../../src/tasks/record/task-files.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { tempDir } from "../support/temp-dir.ts";

// A question and its answer as Holdfast 0.1 wrote them, before questions had an id of their own and carried their input.
const frozen = new URL("data/question-v1/", import.meta.url);

function taskWith(...names: string[]): TaskFiles {
  const files = taskFiles(tempDir(), { projectKey: "-p", id: "a1" });
  fs.mkdirSync(path.dirname(files.base), { recursive: true });
  for (const name of names) fs.copyFileSync(new URL(name, frozen), path.join(path.dirname(files.base), name));
  return files;
}

const never = new AbortController().signal;

describe("a question of Holdfast 0.1", () => {
  test("is shown by its title and answered", async () => {
    const files = taskWith("a1.progress.json");
    const { needsInput } = readProgress(files)!;
    expect(questionLines(needsInput!)).toEqual([{ kind: "note", text: "Run echo harmless" }]);
    const answer = { behavior: "allow" } as const;
    answerPermission(files, { requestId: "1", answer, by: "me", clock: fakeClock() });
    expect(await waitForAnswer(files, { requestId: "1", signal: never })).toEqual(answer);
  });

  test("leaves an answer that is not taken for one to a new question", async () => {
    const files = taskWith("a1.answer.1");
    const place = { cwd: "/", userHome: "/", hasBash: true };
    const judge = new PermissionJudge({ policy: "ask", configDir: tempDir(), place });
    const ask = permissionAsker({ judge, files, clock: fakeClock() });
    const over = new AbortController();
    const needed: (NeededInput | undefined)[] = [];
    const request = { toolUseId: "t", tool: "Bash", input: { command: "echo DANGEROUS" }, title: "Run it" };
    const answer = ask(request, {
      signal: over.signal,
      onNeeded: (question) => {
        needed.push(question);
        // The old answer would have been found by now.
        if (question) setImmediate(() => over.abort(new Error("nobody answered")));
      },
    });
    await expect(answer).rejects.toThrow("nobody answered");
    expect(needed[0]).toMatchObject({ requestId: expect.stringMatching(/^[0-9a-f]{8}$/) as string });
  });
});
