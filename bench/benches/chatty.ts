import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { compileProgram } from "../support/compile-program.ts";
import { inFreshFolder } from "../support/fresh-folder.ts";
import type { Bench, BenchContext, Contest, Figure, Sample, Scale, Side } from "../support/measure.ts";
import { commandSide, programSide } from "../support/run-program.ts";

interface Amount {
  readonly full: number;
  readonly quick: number;
}

const BLOCKS: Amount = { full: 1_500_000_000, quick: 100_000_000 };
const LINES: Amount = { full: 80_000_000, quick: 5_000_000 };

const FIGURES: readonly Figure[] = [
  {
    label: "start to ending known",
    // The shell's whole process; ours in a process that is there already.
    read: ({ wallMs, callMs = wallMs }) => callMs,
    goal: { kind: "speedup", atLeast: 0.95 },
  },
  {
    label: "supervisor's CPU",
    read: ({ figures }) => figures?.["supervisorCpuMs"],
    goal: { kind: "limit", atMost: 12, unit: "ms" },
  },
  {
    label: "launcher's growth",
    read: ({ figures }) => figures && figures["launcherGrowthBytes"]! / 2 ** 20,
    goal: { kind: "limit", atMost: 1, unit: "MB" },
  },
];

export const chatty: Bench = {
  name: "chatty",
  measures: [
    {
      title: (scale) => `${sizeOf(BLOCKS, scale)} in blocks`,
      against: "sh -c 'command > file'",
      pairs: { full: 9, quick: 3 },
      figures: FIGURES,
      open: async (context) => openChatty(context, { amount: BLOCKS, mode: "block" }),
    },
    {
      title: (scale) => `${sizeOf(LINES, scale)} line by line`,
      against: "sh -c 'command > file'",
      pairs: { full: 9, quick: 3 },
      figures: FIGURES,
      open: async (context) => openChatty(context, { amount: LINES, mode: "line" }),
    },
  ],
  notMeasured: [
    "a disk that is slower than the command: both sides write to the page cache",
    "several chatty tasks at once",
    "somebody who follows the output while it is written",
  ],
};

function openChatty(
  context: BenchContext,
  { amount, mode }: { amount: Amount; mode: "block" | "line" },
): Contest {
  const generator = compileProgram("chatty.c", context);
  const reap = compileProgram("reap.c", context);
  const commandIn = (folder: string): string =>
    `${generator} ${amount[context.scale.name]} ${mode} ${path.join(folder, "cpu")}`;
  return {
    peer: inFreshFolder(context, (folder) => {
      const output = path.join(folder, "output");
      const shell = commandSide(["sh", "-c", `${commandIn(folder)} > ${output}`]);
      return async () => ({ ...(await shell()), result: contentOf(output) });
    }),
    candidate: inFreshFolder(context, (folder) => taskSide(folder, { reap, command: commandIn(folder) })),
    verify: (result) =>
      (result as Content).bytes === amount[context.scale.name] ? undefined : "output is missing",
  };
}

// The supervisor is an orphan by design, so its time is told to whoever reaps orphans.
function taskSide(folder: string, { reap, command }: { reap: string; command: string }): Side {
  const reaped = path.join(folder, "reaped");
  const task = programSide("holdfast-chatty.mjs", { args: [folder, command], under: [reap, reaped] });
  return async (): Promise<Sample> => {
    const { result, figures, ...sample } = await task();
    const { status, output } = result as { status: string; output: string };
    if (status !== "completed") throw new Error(`Cannot measure the task: it ${status}`);
    const { supervisorPid, ...others } = figures!;
    const [, withCommandUs] = fs
      .readFileSync(reaped, "utf8")
      .split("\n")
      .map((line) => line.split(" ").map(Number))
      .find(([pid]) => pid === supervisorPid)!;
    const commandUs = Number(fs.readFileSync(path.join(folder, "cpu"), "utf8"));
    const supervisorCpuMs = (withCommandUs! - commandUs) / 1000;
    return { ...sample, result: contentOf(output), figures: { ...others, supervisorCpuMs } };
  };
}

interface Content {
  readonly bytes: number;
  readonly checksum: number;
}

function contentOf(file: string): Content {
  const chunk = Buffer.allocUnsafe(1 << 20);
  const fd = fs.openSync(file, "r");
  let bytes = 0;
  let checksum = 0;
  for (let read: number; (read = fs.readSync(fd, chunk)) > 0; bytes += read)
    checksum = crc32(chunk.subarray(0, read), checksum);
  fs.closeSync(fd);
  return { bytes, checksum };
}

function sizeOf(amount: Amount, { name }: Scale): string {
  const bytes = amount[name];
  return bytes >= 1e9 ? `${bytes / 1e9} GB` : `${bytes / 1e6} MB`;
}
