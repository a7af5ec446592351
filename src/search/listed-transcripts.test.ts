import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sampleSession, tempDir } from "../../test/support/index.ts";
import { openArchive } from "../store/archive/index.ts";
import { listSearched } from "./listed-transcripts.ts";

test("listSearched() lists a session once when it is archived meanwhile, before or after its folder is read", async () => {
  const dir = tempDir();
  const context = { configDir: path.join(dir, "config"), home: path.join(dir, "home") };
  const { sessionId, projectKey, path: file } = sampleSession({ cwd: "/p" }).write(context.configDir);
  const content = fs.readFileSync(file);
  const archive = openArchive(context);
  await archive.add([{ sessionId, projectKey, path: file }]);
  archive.close();
  const archiveDir = path.join(context.home, "archive");
  const later = path.join(dir, "later");
  // A second project, whose name comes later: when it is asked about, the first one has been read.
  fs.mkdirSync(path.join(context.configDir, "projects", `${projectKey}-z`));
  for (const when of [projectKey, `${projectKey}-z`]) {
    fs.renameSync(archiveDir, later);
    fs.writeFileSync(file, content);
    const listed = listSearched(context, (key) => {
      if (key === when && fs.existsSync(later)) {
        fs.renameSync(later, archiveDir);
        fs.rmSync(file);
      }
      return true;
    });
    const mine = listed.filter((each) => each.sessionId === sessionId && each.agentId === undefined);
    expect(mine.map((each) => path.dirname(each.path).startsWith(archiveDir))).toEqual([true]);
  }
});

test("listSearched() leaves the client's own helpers out, which copy what stands in other transcripts", () => {
  const dir = tempDir();
  const context = { configDir: path.join(dir, "config"), home: path.join(dir, "home") };
  const { path: file } = sampleSession({ cwd: "/p" }).write(context.configDir);
  const subagents = file.replace(/\.jsonl$/, "/subagents");
  for (const name of ["acompact-f46190", "aside_question-f46191", "aprompt_suggestion-f46192", "a0123456"])
    fs.copyFileSync(file, path.join(subagents, `agent-${name}.jsonl`));
  const ids = listSearched(context).flatMap(({ agentId }) => agentId ?? []);
  expect(ids.filter((id) => !/^a[0-9a-f]{16}$/.test(id))).toEqual(["a0123456"]);
});
