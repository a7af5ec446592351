import type { Bench } from "../support/measure.ts";
import { chatMeasures } from "./growth-chat.ts";
import { removalMeasures } from "./growth-removal.ts";
import { taskMeasures } from "./growth-tasks.ts";
import { transcriptMeasures } from "./growth-transcripts.ts";

/** What gets slower with what the disk holds: the same commands with few and with many tasks, or transcripts. */
export const growth: Bench = {
  name: "growth",
  measures: [...taskMeasures, ...removalMeasures, ...transcriptMeasures, ...chatMeasures],
  notMeasured: [
    "tasks of agents and of other machines: all tasks are shell commands that printed one line",
    "tasks in several projects, except by `prune`: one folder that holds all of them is the harder case",
    "a cold page cache, except by rows that say so: even those find the files in memory, only what is derived is missing",
  ],
};
