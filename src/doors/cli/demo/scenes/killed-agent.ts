import fs from "node:fs";
import path from "node:path";
import type { ScriptStep } from "../../../../agents/runners/scripted/script.ts";
import { isSoon } from "../is-soon.ts";
import type { Scene, Stage } from "../scene.ts";
import { taskProcesses } from "../stage-processes.ts";

export const killedAgent: Scene = {
  title: "An agent is killed, and continues",
  async play(stage) {
    stage.tell("An agent works in the background. Here it plays a script: the tour needs no model.");
    const script = writeScript(stage);
    const id = await askAndApprove(stage, script);
    await killAndResume(stage, id);
  },
};

/** What the agent does counts itself, so that doing it twice would show. */
function writeScript({ cwd }: Stage): string {
  const steps: ScriptStep[] = [
    { text: "I make the change first." },
    { run: "echo changed >> changes.txt" },
    { waitFor: path.join(cwd, "reviewed") },
    { text: "The change is made, once." },
  ];
  const file = path.join(cwd, "agent.json");
  fs.writeFileSync(file, JSON.stringify(steps));
  return file;
}

async function askAndApprove({ run, tell, claim, cwd, tasks }: Stage, script: string): Promise<string> {
  const about = ["--name", "worker", "--description", "a change"];
  const { stdout } = await run(["agent", "--script", script, ...about, "Make the change"]);
  const id = stdout.trim();
  let request = "";
  await isSoon(async () => {
    const { state } = await tasks.find(id);
    if (state.status === "running") request = state.needsInput?.requestId ?? "";
    return request !== "";
  });
  const shown = await run(["ps"]);
  claim(
    "it asks before it changes anything, and ps shows the question",
    shown.stdout.includes("needs input"),
  );
  claim("nothing was done yet", !fs.existsSync(path.join(cwd, "changes.txt")));
  tell("Anybody may answer, from any terminal. Where the question is not shown first, the answer names it.");
  await run(["approve", "worker", "--request", request]);
  const recorded = (): boolean => readOr(path.join(cwd, "changes.txt")) === "changed\n";
  claim("it continues when it is allowed to", await isSoon(recorded));
  return id;
}

async function killAndResume({ run, tell, claim, cwd, tasks }: Stage, id: string): Promise<void> {
  const { transcript } = (await tasks.find(id)).record.agent!;
  await isSoon(() => readOr(transcript.path).includes('"tool_result"'));
  const logs = await run(["logs", "worker"]);
  claim("the result of its tool is in the transcript", logs.stdout.includes("changed >> changes.txt  ✓"));
  tell("Its process is killed with kill -9. Another one continues from the transcript.");
  for (const pid of taskProcesses(id)) process.kill(pid, "SIGKILL");
  claim("it is gone", await isSoon(() => taskProcesses(id).length === 0));
  fs.writeFileSync(path.join(cwd, "reviewed"), "");
  await run(["wait", id]);
  const resumed = await run(["resume", id, "--wait"]);
  claim("the continued agent answers", resumed.stdout === "The change is made, once.\n");
  claim("what had been done was not done again", readOr(path.join(cwd, "changes.txt")) === "changed\n");
  const { stdout } = await run(["notices"]);
  claim("nobody is told of it a second time", stdout === "");
}

function readOr(file: string): string {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
}
