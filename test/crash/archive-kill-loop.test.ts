import { expect, test } from "vitest";
import { tempDir } from "../support/index.ts";
import { runArchiveKillLoop } from "./archive-kill-loop.ts";

const ROUNDS = 12;

test(`archiving and repairing lose nothing when their process is killed ${ROUNDS} times`, async () => {
  const seed = Date.now() % 1_000_000_000;
  const { problems, done, cutOff } = await runArchiveKillLoop(tempDir(), { rounds: ROUNDS, seed });
  process.stdout.write(`archive kill loop, seed ${seed}: ${JSON.stringify(done)}, ${cutOff} cut off\n`);
  expect(problems).toEqual([]);
  // Else the kills came too early to prove anything.
  expect(done).toMatchObject({
    archived: expect.any(Number) as number,
    restored: expect.any(Number) as number,
  });
});
