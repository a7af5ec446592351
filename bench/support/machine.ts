import os from "node:os";

/** The shape of the machine, without anything that names it. */
export interface Machine {
  readonly node: string;
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  /** Processes that wanted to run in the last minute; far above 0 means that somebody else was at work, too. */
  readonly loadAverage: number;
}

export function describeMachine(): Machine {
  const cpus = os.cpus();
  return {
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus[0]?.model.trim() ?? "unknown",
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    loadAverage: os.loadavg()[0]!,
  };
}
