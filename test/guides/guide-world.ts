import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startMessagesServer, tempDir, TranscriptBuilder, type MessagesRequest } from "../support/index.ts";

const bin = fileURLToPath(new URL("../../bin/holdfast.js", import.meta.url));
const compiled = fileURLToPath(new URL("../../.cache/compiled-for-tests", import.meta.url));

export interface LineRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A home with what the guides speak of: a project, two sessions, a model that answers. */
export interface GuideWorld extends AsyncDisposable {
  /** Runs a line in bash, in the project, without a terminal. */
  run(line: string): Promise<LineRun>;
}

/** `files` are written into the project. */
export async function openGuideWorld(files: readonly { name: string; text: string }[]): Promise<GuideWorld> {
  const dir = tempDir();
  const home = path.join(dir, "home");
  const cwd = path.join(home, "project");
  const programs = path.join(dir, "bin");
  for (const each of [home, cwd, programs]) fs.mkdirSync(each);
  fs.symlinkSync(process.execPath, path.join(programs, "node"));
  fs.writeFileSync(path.join(programs, "holdfast"), `#!/bin/sh\nexec node ${bin} "$@"\n`, { mode: 0o755 });
  writeProject(cwd);
  for (const { name, text } of files) fs.writeFileSync(path.join(cwd, name), text);
  writeSessions(path.join(home, ".claude"), cwd);
  const model = await startMessagesServer(...Array.from({ length: 50 }, () => answerTo));
  const env = {
    HOME: home,
    PATH: `${programs}:${process.env["PATH"] ?? ""}`,
    LANG: "C.UTF-8",
    TZ: "UTC",
    NODE_COMPILE_CACHE: compiled,
    ANTHROPIC_API_KEY: "sk-ant-not-a-key",
    ANTHROPIC_BASE_URL: model.url,
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  const run = (line: string): Promise<LineRun> => runLine(line, { cwd, env });
  await run("git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -qm first");
  return {
    run,
    async [Symbol.asyncDispose]() {
      await run('ids=$(holdfast ps -q); [ -z "$ids" ] || holdfast stop --grace 100ms $ids');
      await model.close();
    },
  };
}

function writeProject(cwd: string): void {
  const files = {
    "package.json": '{"scripts":{"test":"echo 3 tests passed"}}\n',
    Makefile: "all:\n\techo made\ncheck:\n\techo checked\n",
    "src/list.ts": "// two words\nexport const list = [];\n",
    "README.md": "# A project\n",
    "changed.txt": "new\n",
  };
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    fs.writeFileSync(path.join(cwd, name), text);
  }
  fs.writeFileSync(path.join(cwd, "deploy.sh"), "#!/bin/sh\necho deployed\n", { mode: 0o755 });
}

// The ids that the guides use: sessions 5c03… and 1b3e…, message 8f21….
function writeSessions(configDir: string, cwd: string): void {
  const edited = new TranscriptBuilder({ cwd, sessionId: "5c03e1d4-7a4e-4f0b-9d55-6f1f6f1a2b3c" });
  const prompt = "8f21a0c4-52f6-4e0b-8a34-0d8f2f6b7c11";
  edited.prompt("Change the parser", { uuid: prompt });
  const backupFileName = `${createHash("sha256").update("changed.txt").digest("hex").slice(0, 16)}@v1`;
  const backupTime = "2026-03-04T05:06:07.000Z";
  edited.meta("file-history-snapshot", {
    messageId: prompt,
    isSnapshotUpdate: false,
    snapshot: {
      messageId: prompt,
      timestamp: backupTime,
      trackedFileBackups: { "changed.txt": { backupFileName, version: 1, backupTime } },
    },
  });
  edited.reply("The parser fails with EACCES in task output.");
  const { sessionId } = edited.write(configDir);
  const history = path.join(configDir, "file-history", sessionId);
  fs.mkdirSync(history, { recursive: true });
  fs.writeFileSync(path.join(history, backupFileName), "old\n");
  const older = { cwd, sessionId: "1b3e77aa-0c1d-4d3a-8a5e-2f7f5e6d4c3b", seed: "older" };
  const asked = new TranscriptBuilder({ ...older, startedAt: "2026-02-03T04:05:06.000Z" });
  asked.prompt("Plan the migration");
  asked.reply("It has three steps.");
  asked.write(configDir);
}

/** An agent that is told to use git asks for it twice; every other one answers at once. */
function answerTo({ body }: MessagesRequest): ReturnType<typeof toolUse> | string {
  const text = JSON.stringify(body.messages);
  const results = text.split('"tool_result"').length - 1;
  if (!text.includes("with git") || text.includes("interrupted") || results > 1)
    return "package.json is the largest.";
  return toolUse(results === 0 ? "git log -1" : "git status --short");
}

function toolUse(command: string): { kind: "answer"; content: { tool: string; input: object }[] } {
  return { kind: "answer", content: [{ tool: "Bash", input: { command, description: "Look" } }] };
}

function runLine(line: string, { cwd, env }: { cwd: string; env: Record<string, string> }): Promise<LineRun> {
  const child = spawn("bash", ["-c", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => (printed[name] += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...printed }));
  });
}
