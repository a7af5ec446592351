import fs from "node:fs";
import path from "node:path";
import type { Bench, BenchContext, Figure, Side } from "../support/measure.ts";
import { openEndedTasks } from "../support/ended-tasks.ts";
import { programSide } from "../support/run-program.ts";

const LARGE_BYTES = 5_000_000_000;
const SMALL_BYTES = 1_000_000;
const READ_BYTES = 30_000;
const READS = 300;

const ONE_READ: Figure = {
  label: "one read, p50",
  read: ({ figures }) => figures?.["readMs"],
  goal: { kind: "cost", atMost: 1.2 },
};

export const tail: Bench = {
  name: "tail",
  measures: [
    {
      title: () => "last 30 KB of 5 GB",
      against: "the same of 1 MB",
      pairs: { full: 15, quick: 5 },
      figures: [ONE_READ],
      open: async (context) => {
        const side = (bytes: number): Side =>
          programSide("holdfast-tail.mjs", {
            args: [outputOf(openOutput(context, bytes)), String(READ_BYTES), String(READS)],
          });
        return { peer: side(SMALL_BYTES), candidate: side(LARGE_BYTES) };
      },
    },
    {
      title: () => "TaskOutput of an ended task with 5 GB",
      against: "the same with 1 MB",
      pairs: { full: 15, quick: 5 },
      figures: [ONE_READ],
      open: async (context) => {
        const side = (bytes: number): Side =>
          programSide("holdfast-output.mjs", { args: [openOutput(context, bytes), String(READS)] });
        return { peer: side(SMALL_BYTES), candidate: side(LARGE_BYTES) };
      },
    },
  ],
  notMeasured: [
    "an output that is not in the page cache; the middle of the large one is a hole, which no side reads",
    "asking for lines instead of bytes",
  ],
};

/** A home with one ended task whose output has so many bytes: text at both ends and a hole between them. */
function openOutput(context: BenchContext, bytes: number): string {
  const home = path.join(context.scratchDir, `output-${bytes}`);
  if (fs.existsSync(home)) return home;
  fs.cpSync(openEndedTasks(context, { count: 1 }).home, home, { recursive: true });
  const text = Buffer.from(`${"a line of output, äöü ".repeat(4)}\n`.repeat(READ_BYTES / 80));
  const fd = fs.openSync(outputOf(home), "w");
  fs.writeSync(fd, text, 0, text.length, 0);
  fs.writeSync(fd, text, 0, text.length, bytes - text.length);
  fs.closeSync(fd);
  return home;
}

function outputOf(home: string): string {
  const [name] = fs.globSync("projects/*/tasks/*.output", { cwd: home });
  return path.join(home, name!);
}
