import { clockSkewMsMax } from "./limits.ts";
import { eachProjectFolder } from "../../store/list/transcript-files.ts";
import type { Suggestion } from "../../lib/suggestion.ts";
import { listTasks } from "../../tasks/list/list-tasks.ts";
import type { HealthCheck } from "../health-check.ts";

const OLDEST_YEAR = 2025;
const SET_CLOCK: Suggestion = { program: "sudo", args: ["timedatectl", "set-ntp", "true"] };

/** Whether the clock agrees with what was written: times in the future make lists, ages and sweeps wrong. */
export const clock: HealthCheck = {
  name: "clock",
  group: "environment",
  run({ home, configDir, clock: now }) {
    const present = now.now();
    if (present.getUTCFullYear() < OLDEST_YEAR)
      return {
        status: "fail",
        summary: `the clock says ${present.toISOString()}`,
        suggestion: SET_CLOCK,
      };
    const latest = Math.max(0, ...sessionTimes(configDir), ...taskTimes(home));
    if (latest <= present.getTime() + clockSkewMsMax)
      return { status: "ok", summary: "no file has a time in the future" };
    return {
      status: "warn",
      summary: `a file has a time in the future (${new Date(latest).toISOString()}): the clock was set back`,
      suggestion: SET_CLOCK,
    };
  },
};

function sessionTimes(configDir: string): number[] {
  return [...eachProjectFolder(configDir)].flatMap(({ sessions }) => sessions.map(({ mtimeMs }) => mtimeMs));
}

function taskTimes(home: string): number[] {
  return listTasks(home).flatMap(({ record }) => Date.parse(record.startedAt) || []);
}
