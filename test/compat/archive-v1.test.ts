import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { holdfastPaths } from "../../src/format/paths.ts";
import { listArchivedTranscripts } from "../../src/store/archive/archived-transcripts.ts";
import { readPacked } from "../../src/store/archive/read-packed.ts";
import { openSessionStore } from "../../src/store/open-session-store.ts";
import { testHome } from "../support/index.ts";
import { treeOf } from "../support/tree-of.ts";

// An archive as it was written before there were packs: a folder for each session. Written once, never changed. The
// second session still has the mark of a process that was killed before it removed the originals.
const data = fileURLToPath(new URL("data/archive-v1/", import.meta.url));
const originals = JSON.parse(fs.readFileSync(path.join(data, "originals.json"), "utf8")) as {
  sessionId: string;
  smallSessionId: string;
  files: Record<string, string>;
};

test("an archive of folders is listed, read, finished and restored", async () => {
  const { home, configDir } = testHome();
  const { archiveDir } = holdfastPaths(home);
  fs.cpSync(path.join(data, "archive"), archiveDir, { recursive: true });
  const store = openSessionStore({ home, configDir });

  expect(
    (await store.list()).map(({ sessionId, title, archived }) => ({ sessionId, title, archived })),
  ).toEqual([
    { sessionId: originals.sessionId, title: "Fix the parser", archived: true },
    { sessionId: originals.smallSessionId, title: undefined, archived: true },
  ]);
  const found = await store.find(originals.sessionId.slice(0, 8));
  expect(await store.summary(found)).toMatchObject({ title: "Fix the parser", agents: 2, archived: true });
  expect((await store.readConversation(found)).rejections).toEqual([]);
  const agents = await store.agents(found);
  expect(agents.map(({ layout, path: file }) => [layout, file !== undefined])).toEqual([
    ["nested", true],
    ["flat", true],
  ]);
  expect(listArchivedTranscripts({ configDir, archiveDir })).toHaveLength(4);

  const small = await store.find(originals.smallSessionId);
  const original = path.join(configDir, `projects/${small.projectKey}/${small.sessionId}.jsonl`);
  fs.mkdirSync(path.dirname(original), { recursive: true });
  fs.writeFileSync(original, Buffer.concat([...readPacked(small.path)]));
  const archive = await store.openArchive();
  try {
    expect(fs.existsSync(original)).toBe(false);
    archive.restore(originals.sessionId);
    archive.restore(originals.smallSessionId);
  } finally {
    archive.close();
  }
  expect(treeOf(configDir)).toEqual(originals.files);
  expect(fs.readdirSync(archiveDir)).toEqual([]);
});
