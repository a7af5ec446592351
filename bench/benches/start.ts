import { installedCommand } from "../support/installed-command.ts";
import type { Bench, BenchContext, Contest } from "../support/measure.ts";
import { bareNodeSide, commandSide } from "../support/run-program.ts";

export const start: Bench = {
  name: "start",
  measures: [
    measure({ args: ["--version"], lines: 1, atMost: 1.5 }),
    measure({ args: ["ps"], lines: 0, atMost: 2 }),
  ],
  notMeasured: ["a cold page cache", "the first start after an installation, which fills the compile cache"],
};

function measure({
  args,
  lines,
  atMost,
}: {
  args: string[];
  lines: number;
  atMost: number;
}): Bench["measures"][number] {
  return {
    title: () => `holdfast ${args.join(" ")}, empty home`,
    against: "node -e 0",
    pairs: { full: 25, quick: 7 },
    figures: [{ label: "whole process", read: ({ wallMs }) => wallMs, goal: { kind: "cost", atMost } }],
    open: async (context: BenchContext): Promise<Contest> => ({
      peer: bareNodeSide(),
      candidate: commandSide([...installedCommand(context), ...args], {
        env: {
          HOLDFAST_HOME: `${context.scratchDir}/empty`,
          CLAUDE_CONFIG_DIR: `${context.scratchDir}/empty-config`,
        },
        resultOf: (stdout) => stdout.split("\n").length - 1,
      }),
      comparable: false,
      verify: (result) =>
        result === lines ? undefined : `${String(result)} lines were printed instead of ${lines}`,
    }),
  };
}
