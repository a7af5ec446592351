import type { BenchContext, Contest, Figure, Measure, Scale } from "../support/measure.ts";
import { bareNodeSide } from "../support/run-program.ts";

/** How many there are of what a disk holds: each measure is taken with few and with many. */
export interface Sizes {
  readonly few: number;
  readonly many: number;
}

export interface Growing {
  readonly what: string;
  readonly noun: string;
  readonly sizes: Readonly<Record<Scale["name"], Sizes>>;
  readonly pairs: Measure["pairs"];
  /** Against `node -e 0`, by how many there are. */
  readonly atMost?: { readonly few?: number; readonly many: number };
  /** Of many against few. */
  readonly slopeAtMost?: number;
  readonly open: (context: BenchContext, count: number) => Pick<Contest, "candidate" | "verify">;
}

/** One command with few and with many against a bare Node, and with many against few: the slope. */
export function growingMeasures({ what, noun, sizes, pairs, atMost, slopeAtMost, open }: Growing): Measure[] {
  const againstNode = (size: keyof Sizes): Measure => ({
    title: (scale) => `${what}, ${describe(sizes[scale.name][size], noun)}`,
    against: "node -e 0",
    pairs,
    figures: size === "many" ? [wholeProcess(atMost?.many), CPU] : [wholeProcess(atMost?.few)],
    open: async (context) => {
      const contender = open(context, sizes[context.scale.name][size]);
      return { peer: bareNodeSide(), ...contender, comparable: false };
    },
  });
  const slope: Measure = {
    title: ({ name }) => `${what}, ${describe(sizes[name].many, noun)} against ${describe(sizes[name].few)}`,
    against: "itself with few",
    pairs,
    figures: [wholeProcess(slopeAtMost)],
    open: async (context) => {
      const { few, many } = sizes[context.scale.name];
      return { peer: open(context, few).candidate, ...open(context, many), comparable: false };
    },
  };
  return [againstNode("few"), againstNode("many"), slope];
}

/** Beside the goal: on a machine that others use, too, it tells more than the clock. */
const CPU: Figure = { label: "CPU", read: ({ cpuMs }) => cpuMs, goal: { kind: "cost" } };

function wholeProcess(atMost: number | undefined): Figure {
  const goal = { kind: "cost", ...(atMost === undefined ? {} : { atMost }) } as const;
  return { label: "whole process", read: ({ wallMs }) => wallMs, goal };
}

export function describe(count: number, noun?: string): string {
  return `${count.toLocaleString("en")}${noun === undefined ? "" : ` ${noun}`}`;
}
