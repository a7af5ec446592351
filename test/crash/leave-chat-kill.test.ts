import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { textOf, toolResultsOf, toolUsesOf } from "../../src/format/entry-kinds.ts";
import { openSessionStore, type SessionStore } from "../../src/store/index.ts";
import { listOwed } from "../../src/store/owed/owed-answer.ts";
import { isOver } from "../../src/tasks/record/is-over.ts";
import { startProgram, tempDir } from "../support/index.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";
import { basicEnv, markedProcesses } from "../support/task-world.ts";
import { waitFor } from "../support/wait-for.ts";

interface Left {
  sessionId: string;
  id: string;
  run: string;
}

const isGone = ({ run }: Left): boolean => !fs.existsSync(run);
/** Looked at without a pause: the moment is short. */
const until = (is: () => boolean): void => {
  for (const end = Date.now() + 20_000; !is() && Date.now() < end;);
};

// Between the removal of `.run` and its return the task is nobody's: that of the chat, and not yet that of its supervisor.
const moments: Record<string, (left: Left) => Promise<void> | void> = {
  "at once": () => {},
  "after 2 ms": () => delay(2),
  "after 10 ms": () => delay(10),
  "after 25 ms": () => delay(25),
  "when it is nobody's": (left) => until(() => isGone(left)),
  "1 ms later": async (left) => {
    until(() => isGone(left));
    await delay(1);
  },
  "4 ms later": async (left) => {
    until(() => isGone(left));
    await delay(4);
  },
  "when its supervisor has it": (left) => {
    until(() => isGone(left));
    until(() => !isGone(left));
  },
};

describe("a chat that is killed while it gives its query a process of its own", () => {
  test.each(Object.entries(moments))("%s", { timeout: 120_000 }, async (name, moment) => {
    const dir = tempDir();
    const [home, configDir, gate, script] = ["home", "claude", "go", "script.json"].map((each) =>
      path.join(dir, each),
    ) as [string, string, string, string];
    fs.writeFileSync(
      script,
      JSON.stringify([
        { text: "begun" },
        { tool: "Read", result: "words" },
        { waitFor: gate },
        { text: "done" },
      ]),
    );
    const chat = startProgram("leave-chat", [home, configDir, dir, script]);
    const left = JSON.parse(await waitFor(() => chat.lines[0])) as Left;
    chat.say("leave");
    await moment(left);
    chat.kill();
    await chat.ended();
    fs.writeFileSync(gate, "");

    const { tasks, agents } = openTestTasks({ home, configDir, env: basicEnv });
    const sessions = openSessionStore({ home, configDir, isTaskOver: async (task) => isOver(home, task) });
    const ended = await tasks.wait(left.id, { timeoutMs: 60_000 });
    process.stdout.write(`killed ${name}: ${ended?.status}\n`);
    expect(["completed", "lost"]).toContain(ended?.status);
    expect(await tasks.notices({ sessionId: left.sessionId })).toMatchObject([{ taskId: left.id }]);
    const begun = ["first", "begun", "use", "result: words"];
    expect((await textsOf(sessions, left)).slice(0, 4)).toEqual(begun);
    // What is lost is continued, and answers the same conversation.
    const last = ended?.status === "lost" ? (await agents.continue(left.id)).record.id : left.id;
    expect(await tasks.wait(last, { timeoutMs: 60_000 })).toMatchObject({ status: "completed" });
    await waitFor(() => markedProcesses(last).length === 0);
    const writer = await sessions.openWriter({ cwd: dir, sessionId: left.sessionId });
    await writer.close();
    const texts = await textsOf(sessions, left);
    expect([texts.slice(0, 4), texts.at(-1)]).toEqual([begun, "done"]);
    expect(texts.filter((text) => begun.includes(text) || text === "done")).toHaveLength(5);
    expect(listOwed(home, left.sessionId)).toEqual([]);
    await tasks.close();
  });
});

async function textsOf(sessions: SessionStore, { sessionId }: Left): Promise<string[]> {
  const { entries, gaps } = await sessions.readConversation(await sessions.find(sessionId));
  expect(gaps).toEqual([]);
  return entries.map((entry) => {
    const results = toolResultsOf(entry).map(({ content }) => `result: ${content as string}`);
    return [...toolUsesOf(entry).map(() => "use"), ...results, textOf(entry)].join("");
  });
}
