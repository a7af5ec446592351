import { compileProgram } from "../support/compile-program.ts";
import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Figure, Side } from "../support/measure.ts";
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
  ],
  notMeasured: [
    "commands whose children outlive them: the ending waits for those",
    "an ending that nobody wrote, because its supervisor was killed: a check finds it within a second",
    "folders in which changes cannot be watched (network mounts), where the same check is all there is",
  ],
};

async function openNotice(context: BenchContext): Promise<Contest> {
  const stamp = compileProgram("stamp.c", context);
  const side = (program: string): Side =>
    inFreshFolder(context, (folder) =>
      programSide(program, { args: [folder, String(ROUNDS[context.scale.name]), stamp] }),
    );
  return { peer: side("waitpid-notice.mjs"), candidate: side("holdfast-notice.mjs") };
}
