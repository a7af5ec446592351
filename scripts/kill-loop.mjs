// npm run test:kill [-- ROUNDS [SEED]]: kills a writer -9 at random moments, 500 times unless told otherwise.
import { describeKillLoop, runKillLoop } from "../test/crash/kill-loop.ts";

const [rounds = "500", seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
if (!(Number(rounds) > 0) || !Number.isInteger(Number(seed))) {
  process.stderr.write("usage: npm run test:kill [-- ROUNDS [SEED]]\n");
  process.exit(2);
}

process.stdout.write(`seed ${seed}, ${rounds} rounds\n`);
let done = 0;
const result = await runKillLoop({
  rounds: Number(rounds),
  seed: Number(seed),
  onRound(round) {
    for (const problem of round.problems) process.stdout.write(`round with seed ${round.seed}: ${problem}\n`);
    if (++done % 50 === 0) process.stdout.write(`${done} rounds done\n`);
  },
});
process.stdout.write(`${describeKillLoop(result)}\n`);
process.exit(result.failed.length > 0 ? 1 : 0);
