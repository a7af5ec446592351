import fs from "node:fs";
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
  for (let isNamed = false; ;) {
    if (!isNamed) fs.writeFileSync(files.endingDraft, "", { flag: "wx", mode: 0o600 });
    const found = lookAtPlaces(files, places);
    if (found === "free") return true;
    const isRefused = found === "full" || performance.now() > giveUpAt;
    isNamed = !isRefused && found === "next";
    if (!isNamed) giveUpPlace(files);
    if (isRefused) return false;
    await setTimeout(Math.ceil(Math.random() * placeWaitStepMs));
  }
}

// Next: a place is ours if those behind us make way; contested: so many that have not decided are before us.
function lookAtPlaces(files: TaskFiles, { max, isCounted }: Places): "free" | "full" | "next" | "contested" {
  const home = homeOf(files);
  const names = namesCounted(home, isCounted);
  if (names.length <= max) return "free";
  const running = names.map((name) => filesOfName(home, name)).filter(isBusy);
  const others = running.filter(({ endingDraft }) => endingDraft !== files.endingDraft);
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
