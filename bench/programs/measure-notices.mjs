// What the notice programs share: each round runs a command that stamps the clock as its last act, and takes the time
// from there until its ending is known here.
import fs from "node:fs";
import path from "node:path";
import { p50 } from "./p50.mjs";
import { report } from "./report.mjs";

// Long enough that whoever waits does so before the command ends.
const RUN_MS = 100;
const WARM_UP_ROUNDS = 2;

/** `run` is given argv and resolves with the exit code in the moment it is known. */
export async function measureNotices({ folder, count, stamp }, run) {
  await report({
    work: async () => {
      const rounds = [];
      for (let number = 0; number < WARM_UP_ROUNDS + count; number++) {
        const file = path.join(folder, `stamp-${number}`);
        const code = await run([stamp, file, String(RUN_MS), String(number % 4)]);
        const knownAt = process.hrtime.bigint();
        const endedAt = BigInt(fs.readFileSync(file, "utf8").trim());
        if (number >= WARM_UP_ROUNDS) rounds.push({ code, noticeMs: Number(knownAt - endedAt) / 1e6 });
      }
      return rounds;
    },
    figuresOf: (rounds) => ({ noticeMs: p50(rounds.map(({ noticeMs }) => noticeMs)) }),
    resultOf: (rounds) => rounds.map(({ code }) => code),
  });
}
