import { startTimeOf } from "../../../../lib/process-identity.ts";
import { isSoon } from "../is-soon.ts";
import type { Scene, Stage } from "../scene.ts";
import { taskProcesses } from "../stage-processes.ts";

/** The shell and its four children. */
const PROCESSES = 5;
/** Whose they are: the person who waits for them here is somebody else, so their endings stay news. */
const OWNER = ["--session", "tour"];

export const killedLauncher: Scene = {
  title: "A task outlives its launcher",
  async play(stage) {
    const ids = [await outlive(stage), await stopTree(stage)];
    await deliverOnce(stage, ids);
  },
};

async function outlive({ start, run, tell, claim }: Stage): Promise<string> {
  tell("A command is started and waited for. The process that waits is killed with kill -9.");
  const command = "echo step 1; read next; echo step $next; exit 3";
  const about = ["--stdin", "--name", "build", "--description", "a build", ...OWNER];
  const launcher = await start(["run", "--wait", ...about, "--", command]);
  const id = await launcher.firstLine();
  await launcher.kill();
  const shown = await run(["ps"]);
  claim(
    "its launcher is gone, the task still runs",
    startTimeOf(launcher.pid) === undefined && shown.stdout.includes(id),
  );
  await run(["send", "build", "2"]);
  const waited = await run(["wait", "build"]);
  claim("another process gets its true ending: exit code 3", waited.code === 3);
  const { stdout } = await run(["logs", "build"]);
  claim("everything that it printed is there, from before the kill and after", stdout === "step 1\nstep 2\n");
  return id;
}

async function stopTree({ run, tell, claim }: Stage): Promise<string> {
  tell("A command hides its children: in their own session, ignoring hang-ups, forked twice.");
  const command = "setsid sleep 300 & nohup sleep 300 & (sleep 300 &); sleep 300; true";
  const about = ["--name", "tree", "--description", "a tree", ...OWNER];
  const { stdout } = await run(["run", ...about, "--", command]);
  const id = stdout.trim();
  claim(`${PROCESSES} of its processes run`, await isSoon(() => taskProcesses(id).length === PROCESSES));
  const stopped = await run(["stop", "tree"]);
  claim("stop returns when none of them is left", stopped.code === 0 && taskProcesses(id).length === 0);
  return id;
}

async function deliverOnce({ run, tell, claim }: Stage, ids: readonly string[]): Promise<void> {
  tell(
    "The session they belong to has not been told of the two endings yet. Two readers take the notices at the same moment.",
  );
  const takers = await Promise.all([run(["notices", "--consume"]), run(["notices", "--consume"])]);
  const told = takers.map(({ stdout }) => stdout).join("");
  claim(
    "each ending is delivered exactly once",
    ids.every((id) => told.split(id).length === 2),
  );
  const after = await run(["notices"]);
  claim("and is not told again", after.stdout === "");
}
