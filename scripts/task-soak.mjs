// npm run test:tasks [-- ROUNDS [TASKS [SEED]]]: kills a launcher of tasks -9 at random moments, 200 times with 200 tasks
// unless told otherwise.
import { describeTaskKillLoop, runTaskKillLoop } from "../test/crash/tasks-kill-loop.ts";

const [rounds = "200", tasks = "200", seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
if (!(Number(rounds) > 0 && Number(tasks) > 0) || !Number.isInteger(Number(seed))) {
  process.stderr.write("usage: npm run test:tasks [-- ROUNDS [TASKS [SEED]]]\n");
  process.exit(2);
}

process.stdout.write(`seed ${seed}, ${rounds} rounds of ${tasks} tasks\n`);
let done = 0;
const result = await runTaskKillLoop({
  rounds: Number(rounds),
  tasks: Number(tasks),
  seed: Number(seed),
  onRound(round) {
    for (const problem of round.problems) process.stdout.write(`round with seed ${round.seed}: ${problem}\n`);
    if (++done % 10 === 0) process.stdout.write(`${done} rounds done\n`);
  },
});
process.stdout.write(`${describeTaskKillLoop(result)}\n`);
process.exit(result.failed.length > 0 ? 1 : 0);
