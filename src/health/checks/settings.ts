import { readConfig } from "../../store/read-config.ts";
import type { HealthCheck } from "../health-check.ts";

/** Whether config.json of the home can be used: hooks, which may not complain, do without it when it cannot. */
export const settings: HealthCheck = {
  name: "settings",
  group: "environment",
  run({ home }) {
    try {
      readConfig(home);
    } catch (error) {
      return { status: "fail", summary: (error as Error).message };
    }
    return { status: "ok", summary: "Holdfast's own settings can be read" };
  },
};
