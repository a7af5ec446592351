import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { placeWaitMs, placeWaitStepMs } from "../kinds/shell/limits.ts";
import { draftSize, filesOfName, giveUpPlace, isBusy, namesCounted, type Places } from "./running-tasks.ts";
import { readTask } from "./task.ts";
import { homeOf, type TaskFiles } from "./task-files.ts";
import { isEnded } from "./task-state.ts";

/**
 * Makes the name of a task in running/, empty, if fewer run than may; false if not. Whoever fills it has decided to start. The
 * name is made before others are counted, so of all that start at once, in whatever process, the last one sees all others:
 * never more start than may. Of those that are too many, the last by their names make way until the others have decided.
 */
export async function takePlace(files: TaskFiles, places: Places): Promise<boolean> {
  const giveUpAt = performance.now() + placeWaitMs;
  let isNamed = false;
  for (let found: Found = "free"; ; found = lookAtPlaces(files, places)) {
    if (found === "free" && isNamed) return true;
    const isRefused = found === "full" || (found !== "free" && performance.now() > giveUpAt);
    if (isNamed && (isRefused || found === "contested")) {
      giveUpPlace(files);
      isNamed = false;
    }
    if (isRefused) return false;
    // Who made way looks before it makes its name again: else it would keep the others from theirs.
    if (found === "free") {
      await fs.promises.writeFile(files.endingDraft, "", { flag: "wx", mode: 0o600 });
      isNamed = true;
    } else {
      await setTimeout(Math.ceil(Math.random() * placeWaitStepMs));
    }
  }
}

/** Next: a place is ours if those behind us make way. Contested: so many that have not decided are before us. */
type Found = "free" | "full" | "next" | "contested";

function lookAtPlaces(files: TaskFiles, { max, isCounted }: Places): Found {
  const home = homeOf(files);
  const names = namesCounted(home, isCounted).filter((name) => name !== path.basename(files.endingDraft));
  if (names.length < max) return "free";
  const others = names.map((name) => filesOfName(home, name)).filter(isBusy);
  if (others.length < max) return "free";
  const drafts = others.map(draftSize);
  const undecided = others.filter((each, n) => drafts[n] === 0 && isAlive(each));
  const left = max - drafts.filter((size) => size !== undefined && size > 0).length;
  if (left <= 0) return "full";
  const before = undecided.filter(({ endingDraft }) => endingDraft < files.endingDraft);
  return before.length < left ? "next" : "contested";
}

// Whoever was killed before it decided is lost, which a look at it says once for all.
function isAlive(files: TaskFiles): boolean {
  const task = readTask(files);
  return task !== undefined && !isEnded(task.state);
}
