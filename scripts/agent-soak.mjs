// npm run test:agents [-- ROUNDS [SEED]]: kills the hosts of agents -9 at random moments and continues them, 200 agents
// unless told otherwise.
import { describeAgentKillLoop, runAgentKillLoop } from "../test/crash/agents-kill-loop.ts";

const [rounds = "200", seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
if (!(Number(rounds) > 0) || !Number.isInteger(Number(seed))) {
  process.stderr.write("usage: npm run test:agents [-- ROUNDS [SEED]]\n");
  process.exit(2);
}

process.stdout.write(`seed ${seed}, ${rounds} agents\n`);
let done = 0;
const result = await runAgentKillLoop({
  rounds: Number(rounds),
  seed: Number(seed),
  onRound(round) {
    for (const problem of round.problems) process.stdout.write(`agent with seed ${round.seed}: ${problem}\n`);
    if (++done % 10 === 0) process.stdout.write(`${done} agents done\n`);
  },
});
process.stdout.write(`${describeAgentKillLoop(result)}\n`);
process.exit(result.failed.length > 0 ? 1 : 0);
