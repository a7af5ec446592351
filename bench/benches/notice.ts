import { compileProgram } from "../support/compile-program.ts";
import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Figure, Measure, Side } from "../support/measure.ts";
import { programSide } from "../support/run-program.ts";

const ROUNDS = { full: 25, quick: 8 };

const readNotice: Figure["read"] = ({ figures }) => figures?.["noticeMs"];

export const notice: Bench = {
  name: "notice",
  measures: [
    {
      title: () => "exit to ending known",
      against: "waitpid in the parent",
      pairs: { full: 9, quick: 3 },
      figures: [
        { label: "in another process, p50", read: readNotice, goal: { kind: "cost", atMost: 4 } },
        {
          label: "in another process, p50",
          read: readNotice,
          goal: { kind: "limit", atMost: 3, unit: "ms" },
        },
      ],
      open: openNotice,
    },
    {
      title: () => "exit of the last background child to ending known",
      pairs: { full: 9, quick: 3 },
      figures: [
        {
          label: "in another process, p50",
          read: readNotice,
          goal: { kind: "limit", atMost: 10, unit: "ms" },
        },
      ],
      open: async (context) => openBeside(context, "behind"),
    },
    {
      title: () => "exit to ending known, beside 300 processes and a birth every 4 ms",
      pairs: { full: 9, quick: 3 },
      figures: [
        {
          label: "in another process, p50",
          read: readNotice,
          goal: { kind: "limit", atMost: 8, unit: "ms" },
        },
      ],
      open: async (context) => openBeside(context, compileProgram("churn.c", context)),
    },
    atOnce(100, 500),
    atOnce(200, 1000),
  ],
  notMeasured: [
    "children that closed the line: they are looked at every half second",
    "an ending that nobody wrote, because its supervisor was killed: a check finds it within a second",
    "folders in which changes cannot be watched (network mounts), where the same check is all there is",
  ],
};

function atOnce(count: number, atMost: number): Measure {
  return {
    title: () => `${count} tasks that end at once`,
    pairs: { full: 5, quick: 1 },
    figures: [
      {
        label: "last exit to all endings known",
        read: readNotice,
        goal: { kind: "limit", atMost, unit: "ms" },
      },
      {
        label: "forks a task on the whole machine",
        read: ({ figures }) => figures?.["forks"],
        goal: { kind: "limit", atMost: 4, unit: "forks" },
      },
    ],
    open: async (context) => {
      const stamp = compileProgram("stamp.c", context);
      return {
        candidate: inFreshFolder(context, (folder) =>
          programSide("holdfast-at-once.mjs", { args: [folder, String(count), stamp] }),
        ),
        verify: (result) => (result === count ? undefined : `${String(result)} of ${count} completed`),
      };
    },
  };
}

async function openBeside(context: BenchContext, beside: string): Promise<Contest> {
  const stamp = compileProgram("stamp.c", context);
  const rounds = String(ROUNDS[context.scale.name]);
  return {
    candidate: inFreshFolder(context, (folder) =>
      programSide("holdfast-notice.mjs", { args: [folder, rounds, stamp, beside] }),
    ),
  };
}

async function openNotice(context: BenchContext): Promise<Contest> {
  const stamp = compileProgram("stamp.c", context);
  const side = (program: string): Side =>
    inFreshFolder(context, (folder) =>
      programSide(program, { args: [folder, String(ROUNDS[context.scale.name]), stamp] }),
    );
  return { peer: side("waitpid-notice.mjs"), candidate: side("holdfast-notice.mjs") };
}
