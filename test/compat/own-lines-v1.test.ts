import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { getSummary } from "../../src/store/list/list-sessions.ts";
import { readConversation } from "../../src/store/read/conversation.ts";
import { tempDir } from "../support/temp-dir.ts";

// A transcript with the lines that Holdfast adds to those of the client, as it writes them.
const frozen = fileURLToPath(
  new URL("data/own-lines-v1/5e551000-0000-4000-8000-000000000001.jsonl", import.meta.url),
);

test("a session that was forked and moved belongs where it was moved, and was last used when it was forked", async () => {
  const configDir = tempDir();
  const projectKey = "-home-user-after";
  const file = path.join(configDir, "projects", projectKey, path.basename(frozen));
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.copyFileSync(frozen, file);
  const sessionId = path.basename(file, ".jsonl");
  expect(getSummary({ configDir }, { sessionId, projectKey, path: file })).toMatchObject({
    cwd: "/home/user/after",
    startedAt: "2026-02-03T04:05:06.000Z",
    updatedAt: "2026-02-04T00:00:00.000Z",
    messageCount: 2,
  });
  const { entries, rejections, gaps } = await readConversation(file);
  expect([entries.length, rejections, gaps]).toEqual([2, [], []]);
});
