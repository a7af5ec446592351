import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { listTrash } from "../../src/store/change/trash-session.ts";
import { undoReset } from "../../src/store/change/reset-project.ts";
import { tempDir } from "../support/temp-dir.ts";

// A trash as the first version left it that could move a whole project there.
test("a frozen reset is listed and undone as ever", () => {
  const [home, configDir] = [tempDir(), tempDir()];
  const trash = path.join(home, "trash");
  fs.cpSync(path.join(import.meta.dirname, "data", "reset-v1", "trash"), trash, { recursive: true });
  for (const file of fs.globSync("*/manifest.json", { cwd: trash })) {
    const manifest = path.join(trash, file);
    fs.writeFileSync(manifest, fs.readFileSync(manifest, "utf8").replaceAll("CONFIG", configDir));
  }
  const ids = ["f2", "f1"].map((end) => `5e551000-0000-4000-8000-0000000000${end}`);
  const reset = { id: "20261119063000000-abcdef", cwd: "/project" };
  expect(listTrash({ home })).toMatchObject(
    ids.map((sessionId) => ({ sessionId, project: "-project", title: "A frozen one", files: 2, reset })),
  );
  expect(undoReset({ home, configDir }, "/project").map(({ sessionId }) => sessionId)).toEqual(ids);
  expect(fs.globSync("**/*.json*", { cwd: configDir }).toSorted()).toEqual(
    ids.flatMap((id) => [`projects/-project/${id}.jsonl`, `todos/${id}-agent-${id}.json`]).toSorted(),
  );
  expect(fs.readdirSync(trash)).toEqual([]);
});
