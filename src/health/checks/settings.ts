import { readProjectConfigs } from "../../store/config/project-config.ts";
import { readConfig } from "../../store/config/read-config.ts";
import type { HealthCheck } from "../health-check.ts";

/** Whether the settings of the user and of this project can be used: hooks, which may not complain, do without them. */
export const settings: HealthCheck = {
  name: "settings",
  group: "environment",
  run({ home, settingsFile, cwd }) {
    try {
      const place = { home, settingsFile };
      readConfig(place);
      const findings = readProjectConfigs(cwd, place).flatMap(({ file, ignored }) =>
        ignored.map((key) => ({ text: `"${key}" cannot be set by a project`, path: file })),
      );
      if (findings.length > 0)
        return { status: "warn", summary: "a project has settings that are ignored", findings };
    } catch (error) {
      return { status: "fail", summary: (error as Error).message };
    }
    return { status: "ok", summary: "Holdfast's own settings can be read" };
  },
};
