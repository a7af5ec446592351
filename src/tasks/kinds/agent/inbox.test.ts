import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { tempDir } from "../../../../test/support/temp-dir.ts";
import { agentMessageBytesMax, agentMessagesMax } from "./limits.ts";
import { taskFiles, type TaskFiles } from "../../record/task-files.ts";
import { closeInbox, forgetMessage, openInbox, putMessage, readMessages } from "./inbox.ts";

function openedInbox(): TaskFiles {
  const files = taskFiles(tempDir(), { projectKey: "-p", id: "a1" });
  openInbox(files);
  return files;
}

const texts = (files: TaskFiles): string[] => readMessages(files).map(({ text }) => text);

describe("inbox", () => {
  test("gives messages in the order in which they were put there, until they are forgotten", () => {
    const files = openedInbox();
    const clock = fakeClock();
    for (const text of ["one", "two", "three"]) putMessage(files, text, clock);
    // What a sender that was killed left behind is no message.
    fs.writeFileSync(path.join(files.inbox, ".half.tmp"), "{");
    expect(texts(files)).toEqual(["one", "two", "three"]);
    forgetMessage(files, readMessages(files)[1]!);
    expect(texts(files)).toEqual(["one", "three"]);
    expect(new Set(readMessages(files).map(({ id }) => id)).size).toBe(2);
  });

  test("closes only when it is empty, and takes nothing afterwards", () => {
    const files = openedInbox();
    putMessage(files, "wait", fakeClock());
    expect(closeInbox(files)).toBe(false);
    expect(texts(files)).toEqual(["wait"]);
    forgetMessage(files, readMessages(files)[0]!);
    expect(closeInbox(files)).toBe(true);
    expect(closeInbox(files)).toBe(true);
    expect(() => putMessage(files, "too late", fakeClock())).toThrow(
      expect.objectContaining({ code: "no_stdin" }) as Error,
    );
    expect(readMessages(files)).toEqual([]);
  });

  test("refuses what is empty, too long, or one too many", () => {
    const files = openedInbox();
    const put = (text: string) => (): void => putMessage(files, text, fakeClock());
    expect(put(" \n")).toThrow('Cannot send message to task "a1": it is empty');
    expect(put("x".repeat(agentMessageBytesMax + 1))).toThrow("more than");
    for (let n = 0; n < agentMessagesMax; n++) {
      const name = `${String(n).padStart(15, "0")}-00000000-00000000-0000-4000-8000-000000000000.json`;
      fs.writeFileSync(path.join(files.inbox, name), "{}");
    }
    expect(put("one more")).toThrow(
      expect.objectContaining({ code: "task_limit", retryable: true }) as Error,
    );
  });
});
