// npm run test:fleet [-- WORKER_KILLS [SERVER_ROUNDS [SEED]]]: kills workers of a fleet -9 in the middle of their runs, 100
// times unless told otherwise, cuts some off and suspends some; then kills, suspends and drains the nodes of a cluster under
// load, in every way, once.
import { soakFleet } from "../test/fleet/soak.ts";
import { natsServerForTests } from "../test/support/nats-servers.ts";

const [kills = "100", rounds = "1", seed = String(Date.now() % 1_000_000_000)] = process.argv.slice(2);
if (![kills, rounds, seed].every((text) => /^\d+$/.test(text))) {
  process.stderr.write("usage: npm run test:fleet [-- WORKER_KILLS [SERVER_ROUNDS [SEED]]]\n");
  process.exit(2);
}
const file = await natsServerForTests();
if (file === undefined) process.exit(1);
process.stdout.write(`seed ${seed}, ${kills} workers to kill, ${rounds} rounds of the servers\n`);
const problems = await soakFleet({
  file,
  seed: Number(seed),
  workerKills: Number(kills),
  serverRounds: Number(rounds),
  tell: (line) => process.stdout.write(`${line}\n`),
});
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(
  problems.length === 0
    ? "nothing lost, nothing doubled, nothing written by a zombie\n"
    : `${problems.length} problems\n`,
);
process.exit(problems.length === 0 ? 0 : 1);
