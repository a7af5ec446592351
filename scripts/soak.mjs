// Kills -9 at random moments, over and over, and checks what is left:
//   npm run test:kill [-- ROUNDS [SEED]]           a writer of a session, 500 times
//   npm run test:tasks [-- ROUNDS [TASKS [SEED]]]  a launcher of 200 tasks, 200 times
//   npm run test:agents [-- ROUNDS [SEED]]         the hosts of 200 agents, which are then continued
//   npm run test:news [-- ROUNDS [SEED]]           readers of endings, some 1,000 in 340 rounds, between take and confirm
const loops = {
  kill: async () => {
    const { describeKillLoop, runKillLoop } = await import("../test/crash/kill-loop.ts");
    return { run: runKillLoop, describe: describeKillLoop, defaults: { rounds: 500 } };
  },
  tasks: async () => {
    const { describeTaskKillLoop, runTaskKillLoop } = await import("../test/crash/tasks-kill-loop.ts");
    return { run: runTaskKillLoop, describe: describeTaskKillLoop, defaults: { rounds: 200, tasks: 200 } };
  },
  agents: async () => {
    const { describeAgentKillLoop, runAgentKillLoop } = await import("../test/crash/agents-kill-loop.ts");
    return { run: runAgentKillLoop, describe: describeAgentKillLoop, defaults: { rounds: 200 } };
  },
  news: async () => {
    const { describeNewsKillLoop, runNewsKillLoop } = await import("../test/crash/news-kill-loop.ts");
    return { run: runNewsKillLoop, describe: describeNewsKillLoop, defaults: { rounds: 340 } };
  },
};

const [name, ...given] = process.argv.slice(2);
const { run, describe, defaults } = await loops[name]();
const entries = Object.entries({ ...defaults, seed: Date.now() % 1_000_000_000 });
const options = Object.fromEntries(
  entries.map(([key, value], index) => [key, Number(given[index] ?? value)]),
);
if (Object.values(options).some((value) => !Number.isInteger(value) || value < 1)) {
  const words = Object.keys(options).map((key) => key.toUpperCase());
  process.stderr.write(`usage: npm run test:${name} [-- ${words.join(" [")}${"]".repeat(words.length)}\n`);
  process.exit(2);
}

process.stdout.write(
  `${Object.entries(options)
    .map(([key, value]) => `${key} ${value}`)
    .join(", ")}\n`,
);
let done = 0;
const result = await run({
  ...options,
  onRound(round) {
    for (const problem of round.problems) process.stdout.write(`round with seed ${round.seed}: ${problem}\n`);
    if (++done % 10 === 0) process.stdout.write(`${done} rounds done\n`);
  },
});
process.stdout.write(`${describe(result)}\n`);
process.exit(result.failed.length > 0 ? 1 : 0);
