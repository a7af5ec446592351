import { expect, test } from "vitest";
import { tempDir } from "../support/index.ts";
import { runArchiveKillLoop } from "./archive-kill-loop.ts";

// More by ARCHIVE_KILL_ROUNDS=100.
const ROUNDS = Number(process.env["ARCHIVE_KILL_ROUNDS"] ?? 12);
const timeout = 60_000 + ROUNDS * 5000;

test(
  `archiving and repairing lose nothing when their process is killed ${ROUNDS} times`,
  { timeout },
  async () => {
    const seed = Date.now() % 1_000_000_000;
    const { problems, done, cutOff } = await runArchiveKillLoop(tempDir(), { rounds: ROUNDS, seed });
    process.stdout.write(`archive kill loop, seed ${seed}: ${JSON.stringify(done)}, ${cutOff} cut off\n`);
    expect(problems).toEqual([]);
    // Else the kills came too early to prove anything.
    expect(done).toMatchObject({
      archived: expect.any(Number) as number,
      restored: expect.any(Number) as number,
    });
  },
);
