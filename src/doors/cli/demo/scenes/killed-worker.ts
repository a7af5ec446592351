import fs from "node:fs";
import path from "node:path";
import type { ScriptStep } from "../../../../agents/runners/scripted/script.ts";
import { isSoon } from "../is-soon.ts";
import type { Scene, Stage, StartedCommand } from "../scene.ts";

export const killedWorker: Scene = {
  title: "A worker of the fleet dies in the middle of a run",
  async play(stage) {
    stage.tell("Agents can run on other machines. Here the server and two workers share this one.");
    const up = await stage.run(["fleet", "up", "--lease", "2s"]);
    if (up.code !== 0) return stage.tell("Skipped: this scene needs a nats-server, and there is none here.");
    const first = await stage.start(["fleet", "worker"]);
    const id = await send(stage);
    await killAndGoOn(stage, { id, first });
    await stage.run(["fleet", "down"]);
  },
};

/** What the agent does counts itself outside of its workspace, so that doing it twice would show. */
async function send({ run, cwd, claim }: Stage): Promise<string> {
  const steps: ScriptStep[] = [
    { run: `echo done >> ${path.join(cwd, "effects")}` },
    { waitFor: path.join(cwd, "gate") },
    { text: "Finished on another worker." },
  ];
  fs.writeFileSync(path.join(cwd, "far.json"), JSON.stringify(steps));
  const about = ["--remote", "--script", "far.json", "--permission", "allow", "--name", "far"];
  const { stdout, code } = await run(["agent", ...about, "Do it far away"]);
  claim("it is sent with its folder, and is a task here", code === 0);
  claim("a worker runs it", await isSoon(() => countEffects(cwd) === 1));
  return stdout.trim();
}

async function killAndGoOn(
  { run, start, tell, claim, cwd, tasks }: Stage,
  { id, first }: { id: string; first: StartedCommand },
): Promise<void> {
  const { path: file } = (await tasks.find(id)).record.agent!.transcript;
  const recorded = (): boolean =>
    fs.existsSync(file) && fs.readFileSync(file, "utf8").includes('"tool_result"');
  claim("what its tool did is in the log, and here", await isSoon(recorded));
  tell(
    "The worker is killed with kill -9. The other one takes the run when the lease of the dead one has expired.",
  );
  await first.kill();
  const second = await start(["fleet", "worker"]);
  fs.writeFileSync(path.join(cwd, "gate"), "");
  const waited = await run(["wait", "far"]);
  claim("it finishes on the other worker", waited.code === 0);
  claim("the tool whose result was recorded did not run again", countEffects(cwd) === 1);
  await run(["fleet", "status", "--all"]);
  await second.kill();
}

function countEffects(cwd: string): number {
  const file = path.join(cwd, "effects");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").split("\n").length - 1 : 0;
}
