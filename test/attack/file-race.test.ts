import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { PermissionJudge } from "../../src/agents/host/permission-judge.ts";
import { runTools } from "../../src/agents/runners/anthropic/run-tools.ts";
import { toolsNamed } from "../../src/agents/runners/anthropic/tools/tool-list.ts";
import { toolContext } from "../support/call-tool.ts";
import { tempDir } from "../support/temp-dir.ts";
import { waitFor } from "../support/wait-for.ts";
import { attackSize, reportAttack } from "./attack-size.ts";

const ROUNDS = attackSize({ small: 60, full: 600 });

// Exchanges a file with a link to a secret, and a folder with a link to a folder elsewhere, as fast as it can. A tool that makes
// a folder in between is in its way: then it begins anew.
const RACER = `
const fs = require("node:fs");
const swap = (a, b) => { fs.renameSync(a, a + ".0"); fs.renameSync(b, a); fs.renameSync(a + ".0", b); };
const lay = () => {
  for (const name of fs.readdirSync("src")) fs.rmSync("src/" + name, { recursive: true, force: true });
  fs.mkdirSync("src/folder/deep", { recursive: true });
  for (const file of ["src/file", "src/folder/file", "src/folder/deep/file"]) fs.writeFileSync(file, "harmless\\n");
  fs.symlinkSync("../.env", "src/file.link");
  fs.symlinkSync("../../elsewhere", "src/folder.link");
};
for (;;)
  try {
    lay();
    fs.writeFileSync("started", "");
    for (;;) { swap("src/file", "src/file.link"); swap("src/folder", "src/folder.link"); }
  } catch {}
`;

interface Race extends AsyncDisposable {
  elsewhere: string;
  secrets: string[];
  use(name: string, input: Record<string, unknown>): Promise<string>;
}

async function openRace(): Promise<Race> {
  const dir = tempDir();
  const [cwd, elsewhere, configDir] = ["project", "elsewhere", "config"].map((name) => {
    const folder = path.join(dir, name);
    fs.mkdirSync(folder);
    return folder;
  }) as [string, string, string];
  fs.mkdirSync(path.join(cwd, "src"));
  fs.mkdirSync(path.join(elsewhere, "deep"));
  const secrets = [
    path.join(cwd, ".env"),
    ...["file", "deep/file"].map((file) => path.join(elsewhere, file)),
  ];
  for (const file of secrets) fs.writeFileSync(file, "the secret\n");
  const permissions = { allow: ["Edit(src/**)"], deny: ["Read(.env)", `Read(/${elsewhere}/**)`] };
  fs.writeFileSync(path.join(configDir, "settings.json"), JSON.stringify({ permissions }));
  const judge = new PermissionJudge({
    policy: "rules",
    configDir,
    place: { cwd, userHome: dir, hasBash: true },
  });
  const { whyDenied } = judge;
  const mayRead = async (file: string): Promise<boolean> =>
    (await whyDenied?.({ toolUseId: "", tool: "Read", input: { file_path: file }, title: "" })) === undefined;
  // One that knows every file: what is tried is who may open it.
  const place = { ...toolContext({ cwd }), mayRead };
  place.knownFiles.whyUnknown = () => undefined;
  const racer = spawn(process.execPath, ["-e", RACER], { cwd, stdio: "ignore" });
  const closed = once(racer, "close");
  await waitFor(() => fs.existsSync(path.join(cwd, "started")));
  return {
    elsewhere,
    secrets,
    async use(name, input) {
      const uses = [{ id: "toolu_1", name, input, refusal: undefined }];
      const running = runTools(uses, {
        tools: toolsNamed(undefined),
        place,
        whyDenied,
        askPermission: async (request) =>
          (await judge.decide(request)) ?? { behavior: "deny", message: "nobody is there" },
        signal: new AbortController().signal,
      });
      let step = await running.next();
      while (!step.done) step = await running.next();
      return JSON.stringify(step.value.results[0]);
    },
    async [Symbol.asyncDispose]() {
      racer.kill("SIGKILL");
      await closed;
    },
  };
}

test(`${ROUNDS} rounds of tools neither read nor write what a link is put in the way for`, async () => {
  const results = { done: 0, refused: 0 };
  const problems: string[] = [];
  await using race = await openRace();
  for (let round = 0; round < ROUNDS; round++) {
    const uses: [string, Record<string, unknown>][] = [
      ["Read", { file_path: "src/file" }],
      ["Read", { file_path: "src/folder/file" }],
      ["Grep", { pattern: "e", path: "src", output_mode: "content" }],
      ["Grep", { pattern: "e", path: "src/folder/file", output_mode: "content" }],
      ["Edit", { file_path: "src/file", old_string: "s", new_string: "S" }],
      ["Write", { file_path: "src/file", content: "harmless\n" }],
      ["Write", { file_path: "src/folder/file", content: "harmless\n" }],
      ["Write", { file_path: "src/folder/new/file", content: "harmless\n" }],
      // Here the folder of the file is no link itself: only the check of the open folder sees the one above it.
      ["Write", { file_path: "src/folder/deep/file", content: "harmless\n" }],
      ["Write", { file_path: "src/folder/deep/made", content: "harmless\n" }],
    ];
    for (const [name, input] of uses) {
      const result = await race.use(name, input);
      results[result.includes("is_error") ? "refused" : "done"]++;
      if (result.includes("secret")) problems.push(`${name} ${JSON.stringify(input)} read ${result}`);
    }
  }
  for (const file of race.secrets)
    if (fs.readFileSync(file, "utf8") !== "the secret\n") problems.push(`${file} was written`);
  if (fs.readdirSync(race.elsewhere, { recursive: true }).length !== 3)
    problems.push("a file was made elsewhere");
  reportAttack("files whose links are exchanged", {
    rounds: ROUNDS,
    ...results,
    "got through": problems.length,
  });
  expect(problems).toEqual([]);
  expect(results.done).toBeGreaterThan(ROUNDS);
  expect(results.refused).toBeGreaterThan(0);
});
