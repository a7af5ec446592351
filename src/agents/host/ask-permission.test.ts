import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import { writeFileAtomic } from "../../lib/atomic-write.ts";
import type { PermissionAnswer, PermissionRequest } from "../../tasks/ports.ts";
import { taskFiles, type TaskFiles } from "../../tasks/record/task-files.ts";
import type { NeededInput } from "../../tasks/kinds/agent/agent-progress.ts";
import type { PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import { permissionAsker } from "./ask-permission.ts";
import { PermissionJudge } from "./permission-judge.ts";
import { answerPermission, readAllowed } from "../../tasks/kinds/agent/permission-answer.ts";

interface Desk {
  files: TaskFiles;
  ask(request: PermissionRequest, signal?: AbortSignal): Promise<PermissionAnswer>;
  asked: () => NeededInput | undefined;
  /** Answers a question; the one that is asked now unless it says which. */
  answer(answer: PermissionAnswer, requestId?: string): NeededInput;
}

// A task without a process: questions go into its progress, as the host would put them there.
function deskOf(policy: PermissionPolicy, settings: object = {}): Desk {
  const dir = tempDir();
  const files = taskFiles(dir, { projectKey: "-p", id: "a1" });
  ensurePrivateDir(path.dirname(files.base));
  fs.writeFileSync(path.join(dir, "settings.json"), JSON.stringify(settings));
  const place = { cwd: dir, userHome: dir, hasBash: true };
  const judge = new PermissionJudge({ policy, configDir: dir, place });
  const asker = permissionAsker({ judge, files, clock: fakeClock() });
  let asked: NeededInput | undefined;
  const onNeeded = (needed: NeededInput | undefined): void => {
    asked = needed;
    writeFileAtomic(files.progress, JSON.stringify({ schemaVersion: 1, needsInput: needed }));
  };
  return {
    files,
    asked: () => asked,
    answer: (answer, requestId = asked?.requestId ?? "none") =>
      answerPermission(files, { requestId, answer, by: "me", clock: fakeClock() }),
    ask: (request, signal = new AbortController().signal) => asker(request, { signal, onNeeded }),
  };
}

const bash = (command: string): PermissionRequest => ({
  toolUseId: `toolu_${command}`,
  tool: "Bash",
  input: { command },
  title: `Run ${command}`,
});

test("PermissionJudge.setPolicy() decides otherwise from then on, by the rules as they are then", async () => {
  const dir = tempDir();
  fs.writeFileSync(path.join(dir, "settings.json"), '{"permissions":{"deny":["Bash(rm:*)"]}}');
  const place = { cwd: dir, userHome: dir, hasBash: true };
  const judge = new PermissionJudge({ policy: "allow", configDir: dir, place });
  expect(await judge.decide(bash("rm x"))).toEqual({ behavior: "allow" });
  judge.setPolicy("rules");
  expect(await judge.decide(bash("rm x"))).toMatchObject({ behavior: "deny" });
  expect(await judge.decide(bash("ls"))).toBeUndefined();
  judge.setPolicy("deny");
  expect(await judge.decide(bash("ls"))).toMatchObject({ behavior: "deny" });
});

describe("permissionAsker()", () => {
  test.each([
    ["allow", { behavior: "allow" }],
    ["deny", { behavior: "deny", message: "This run may not use tools that need permission" }],
  ] as const)("answers at once when the policy is %s", async (policy, answer) => {
    const desk = deskOf(policy);
    expect(await desk.ask(bash("ls"))).toEqual(answer);
    expect(desk.asked()).toBe(undefined);
  });

  test("follows the client's settings, and asks about the rest", async () => {
    const desk = deskOf("rules", {
      permissions: { allow: ["Bash(git:*)"], deny: ["Bash(git push:*)"], ask: ["Bash(git rebase:*)"] },
    });
    expect(await desk.ask(bash("git status"))).toEqual({ behavior: "allow" });
    expect(await desk.ask(bash("git push -f"))).toMatchObject({ behavior: "deny" });
    for (const command of ["git rebase -i", "make"]) {
      const answer = desk.ask(bash(command));
      await waitFor(() => desk.asked()?.title === `Run ${command}`);
      desk.answer({ behavior: "allow" });
      expect(await answer).toEqual({ behavior: "allow" });
    }
  });

  test("asks one question at a time, and remembers what is always allowed", async () => {
    const desk = deskOf("ask");
    const both = [desk.ask(bash("make")), desk.ask(bash("make")), desk.ask(bash("rm x"))];
    const answer = (given: PermissionAnswer): NeededInput => desk.answer(given);
    await waitFor(() => desk.asked() !== undefined);
    const first = desk.asked()!.requestId;
    expect(answer({ behavior: "allow", always: true })).toMatchObject({
      requestId: first,
      title: "Run make",
    });
    expect(() => answer({ behavior: "allow" })).toThrow(
      /somebody else has just answered|it does not ask anything/,
    );
    await waitFor(() => desk.asked()?.title === "Run rm x");
    expect(answer({ behavior: "deny", message: "No" })).toMatchObject({ title: "Run rm x" });
    expect(await Promise.all(both)).toEqual([
      { behavior: "allow", always: true },
      { behavior: "allow" },
      { behavior: "deny", message: "No" },
    ]);
    expect(readAllowed(desk.files)).toEqual(["Bash(make)"]);
    expect(() => answer({ behavior: "allow" })).toThrow('Cannot answer task "a1": it does not ask anything');
  });

  test("gives up a question when its run ends, and asks the next", async () => {
    const desk = deskOf("ask");
    const abort = new AbortController();
    const first = desk.ask(bash("one"), abort.signal);
    await waitFor(() => desk.asked() !== undefined);
    abort.abort(new Error("stopped"));
    await expect(first).rejects.toThrow("stopped");
    expect(desk.asked()).toBe(undefined);
    const second = desk.ask(bash("two"));
    await waitFor(() => desk.asked()?.title === "Run two");
    desk.answer({ behavior: "allow" });
    expect(await second).toEqual({ behavior: "allow" });
  });

  test("takes no answer to one question for an answer to the next", async () => {
    const desk = deskOf("ask");
    const abort = new AbortController();
    const harmless = desk.ask(bash("echo harmless"), abort.signal);
    await waitFor(() => desk.asked() !== undefined);
    const { requestId } = desk.asked()!;
    abort.abort(new Error("stopped"));
    await expect(harmless).rejects.toThrow("stopped");
    const dangerous = desk.ask(bash("echo DANGEROUS"));
    await waitFor(() => desk.asked()?.title === "Run echo DANGEROUS");
    const meant = (): NeededInput => desk.answer({ behavior: "allow" }, requestId);
    expect(meant).toThrow(expect.objectContaining({ code: "conflict" }) as Error);
    desk.answer({ behavior: "deny", message: "No" });
    expect(await dangerous).toEqual({ behavior: "deny", message: "No" });
  });

  test("shows what the tool was given, and says when that is not all", async () => {
    const desk = deskOf("ask");
    const abort = new AbortController();
    const given: [PermissionRequest["input"], object][] = [
      [{ command: "make" }, { input: { command: "make" } }],
      [
        { file_path: "/x", content: "y".repeat(100_000), more: "z" },
        {
          input: { file_path: "/x", content: expect.stringMatching(/^y{16000,16384}$/) as string, more: "z" },
          isInputCut: true,
        },
      ],
    ];
    for (const [input, shown] of given) {
      const asking = desk.ask({ ...bash("x"), input }, abort.signal).catch(() => {});
      await waitFor(() => desk.asked() !== undefined);
      expect(desk.asked()).toMatchObject(shown);
      desk.answer({ behavior: "allow" });
      await asking;
    }
  });
});
