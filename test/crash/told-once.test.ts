import { expect, test } from "vitest";
import { seededRandom } from "../support/seeded-random.ts";
import { ToldOnceWorld } from "./told-once-world.ts";

const WORLDS = 60;
const STEPS = 14;

test(`an ending is told once, whoever dies at which step, in ${WORLDS} worlds of ${STEPS} steps`, async () => {
  const seed = Number(process.env["HOLDFAST_TEST_SEED"] ?? Date.now() % 1_000_000_000);
  process.stdout.write(`told once, seed ${seed}\n`);
  for (let world = 0; world < WORLDS; world++) {
    using told = new ToldOnceWorld(seededRandom(seed + world));
    for (let step = 0; step < STEPS; step++) await told.step();
    await told.finish();
    expect({ seed: seed + world, problems: told.problems(), log: told.log }).toEqual({
      seed: seed + world,
      problems: [],
      log: told.log,
    });
  }
}, 180_000);
