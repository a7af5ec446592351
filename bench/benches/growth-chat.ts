import { inFreshFolder } from "../support/fresh-folder.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { Measure } from "../support/measure.ts";
import { programSide } from "../support/run-program.ts";

const TURNS = { full: 2000, quick: 400 };

export const chatMeasures: readonly Measure[] = [
  {
    title: ({ name }) => `chat of ${TURNS[name].toLocaleString("en")} turns`,
    pairs: { full: 1, quick: 1 },
    figures: [
      {
        label: "CPU of the last turns, of the first",
        read: ({ figures }) => (figures!["turnCpuMsLast"]! / figures!["turnCpuMsFirst"]!) * 100,
        goal: { kind: "limit", atMost: 120, unit: "%" },
      },
      {
        label: "peak memory",
        read: ({ figures }) => figures?.["peakMb"],
        goal: { kind: "limit", atMost: 200, unit: "MB" },
      },
    ],
    open: async (context) => ({
      candidate: inFreshFolder(context, (home) =>
        programSide("chat-turns.mjs", {
          args: [home, String(TURNS[context.scale.name]), ...installedCommand(context)],
        }),
      ),
    }),
  },
];
