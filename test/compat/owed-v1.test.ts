import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { textOf, toolResultsOf, toolUsesOf } from "../../src/format/entry-kinds.ts";
import { openSessionStore } from "../../src/store/index.ts";
import { tempDir } from "../support/temp-dir.ts";

// A session whose query was left in the middle of a tool call, with what says that its answer is owed.
const frozen = fileURLToPath(new URL("data/owed-v1", import.meta.url));
const sessionId = "5e551000-0000-4000-8000-000000000002";

test("an answer that is owed to a session is shown behind it, and appended by the next writer", async () => {
  const [configDir, home] = [tempDir(), tempDir()];
  fs.cpSync(frozen, path.join(configDir, "projects", "-home-user-project"), { recursive: true });
  fs.mkdirSync(path.join(home, "owed", sessionId), { recursive: true, mode: 0o700 });
  fs.copyFileSync(path.join(frozen, "owed.json"), path.join(home, "owed", sessionId, "s0w3d0001.json"));
  const asked: unknown[] = [];
  const isTaskOver = async (task: unknown): Promise<boolean> => asked.push(task) > 0;
  const store = openSessionStore({ configDir, home, isTaskOver });
  const session = await store.find(sessionId);
  const read = async (withoutOwed: boolean): Promise<string[]> => {
    const { entries, gaps, rejections } = await store.readConversation(session, { withoutOwed });
    expect([gaps, rejections]).toEqual([[], []]);
    return entries.map((entry) => {
      const uses = toolUsesOf(entry).map(({ name }) => name);
      return [...uses, ...toolResultsOf(entry).map(({ content }) => content as string), textOf(entry)].join(
        "",
      );
    });
  };
  const whole = ["How many files are there?", "Bash", "a b c", "There are three."];
  expect([await read(true), await read(false)]).toEqual([whole.slice(0, 2), whole]);
  await (await store.openWriter({ cwd: "/home/user/project", sessionId })).close();
  expect(asked).toEqual([{ projectKey: "-home-user-project", id: "s0w3d0001" }]);
  expect(await read(true)).toEqual(whole);
  expect(fs.existsSync(path.join(home, "owed", sessionId))).toBe(false);
});
