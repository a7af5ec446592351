import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { projectKey } from "../../../../format/paths.ts";
import type { Scene, Stage } from "../scene.ts";

/** An id as the client gives its background commands. */
const FOREIGN = "b4711demo";

export const recovery: Scene = {
  title: "A session forgets, and is told the truth",
  async play(stage) {
    const id = await forget(stage);
    await launchTwice(stage, id);
    await loseClient(stage);
  },
};

async function forget({ run, tell, claim, sendEvent, session }: Stage): Promise<string> {
  tell("A session starts a task and is compacted. It no longer knows what it started. Its hooks do.");
  const about = ["--session", session.sessionId, "--description", "the long tests"];
  const id = (await run(["run", ...about, "--stdin", "--", "read word; echo $word"])).stdout.trim();
  const told = await sendEvent("SessionStart", { source: "compact" });
  claim(
    "the compacted session is told that the task runs",
    told.includes(id) && told.includes("Running now"),
  );
  await run(["send", id, "all-passed"]);
  await run(["wait", id]);
  const news = await sendEvent("UserPromptSubmit", { prompt: "And the tests?" });
  claim("its ending and its output come with the next prompt", /completed[^]*all-passed/.test(news));
  claim("and are not told again", (await sendEvent("UserPromptSubmit", { prompt: "Thanks" })) === "");
  return id;
}

async function launchTwice({ run, tell, claim, sendEvent, cwd }: Stage, ended: string): Promise<void> {
  tell("Now it is about to start the same work again.");
  const command = "sleep 300";
  const id = (await run(["run", "--description", "a server", "--", command])).stdout.trim();
  const fields = { tool_name: "Bash", tool_input: { command, run_in_background: true }, cwd };
  const warning = await sendEvent("PreToolUse", fields);
  claim("it is warned before", warning.includes(id) && !warning.includes(ended));
  await run(["stop", id]);
}

// A client that dies leaves its commands running, and later declares them stopped without having looked.
async function loseClient({ run, tell, claim, sendEvent, cwd, session, home }: Stage): Promise<void> {
  tell("A client runs a command in the background and is killed. The command finishes; nobody records how.");
  const dir = path.dirname(home);
  const folder = path.join(
    dir,
    `claude-${process.getuid?.() ?? 0}`,
    projectKey(cwd),
    session.sessionId,
    "tasks",
  );
  fs.mkdirSync(folder, { recursive: true });
  const output = path.join(folder, `${FOREIGN}.output`);
  fs.writeFileSync(output, "");
  const client = spawn("sleep", ["300"], { stdio: "ignore" });
  const ended = new Promise((resolve) => client.once("close", resolve));
  const tool = {
    tool_name: "Bash",
    tool_input: { command: "make", description: "the build", run_in_background: true },
    tool_response: { stdout: "", stderr: "", backgroundTaskId: FOREIGN },
  };
  await sendEvent("PostToolUse", tool, { clientPid: client.pid ?? 0 });
  client.kill("SIGKILL");
  await ended;
  fs.writeFileSync(output, "compiling\nbuilt\n");
  const shown = await run(["recover"]);
  claim("its output is found", shown.stdout.includes(FOREIGN) && shown.stdout.includes("built"));
  const told = await sendEvent("SessionStart", { source: "resume" });
  claim(
    "the resumed session is told what is known and what is not",
    told.includes("built") && told.includes("its exit code was never recorded"),
  );
}
