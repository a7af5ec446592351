import fs from "node:fs";
import path from "node:path";
import { hookFailureAgeMsMax, hookStartMsMax } from "./limits.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { readSettings } from "../../store/companions/index.ts";
import { namesIn } from "../../lib/names-in.ts";
import { listClientProcesses } from "../../store/write/client-processes.ts";
import type { Finding, HealthCheck } from "../health-check.ts";

/** Whether the client calls Holdfast's hooks, and whether they work: a hook that fails says so only in a log. */
export const hooks: HealthCheck = {
  name: "hooks",
  group: "environment",
  run({ home, configDir, clock }) {
    const { values, problems } = readSettings({ configDir });
    if (problems.length > 0) {
      return {
        status: "fail",
        summary: "the client's settings cannot be read, so its hooks do not run",
        findings: problems.map(({ path: file, reason }) => ({ text: `${file}: ${reason}`, path: file })),
      };
    }
    if (!isWired(values))
      return {
        status: "warn",
        summary: "not installed: sessions are not told what runs in the background",
        suggestion: { verb: "plugin install" },
      };
    if (values["disableAllHooks"] === true)
      return {
        status: "warn",
        summary: 'installed, but turned off by "disableAllHooks" in the settings of the client',
      };
    const deaf = clientsWithoutHooks({ home, configDir, now: clock.now().getTime() });
    if (deaf.length > 0)
      return {
        status: "warn",
        summary: `installed, but ${deaf.length === 1 ? "a running client has" : `${deaf.length} running clients have`} not called them; restart ${deaf.length === 1 ? "it" : "them"}`,
        findings: deaf,
      };
    const log = path.join(home, "hook-errors.log");
    const failedAt = fs.statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (clock.now().getTime() - failedAt > hookFailureAgeMsMax)
      return { status: "ok", summary: `installed; ${lastSeen(home)}` };
    return {
      status: "warn",
      summary: `installed, but one failed at ${new Date(failedAt).toISOString()}`,
      findings: [{ text: lastLine(log), path: log }],
    };
  },
};

// As hooks in the settings, or as a plugin that is switched on.
function isWired({ hooks: own, enabledPlugins }: Record<string, unknown>): boolean {
  if (JSON.stringify(own ?? {}).includes("holdfast")) return true;
  return Object.entries(enabledPlugins ?? {}).some(
    ([name, isOn]) => name.startsWith("holdfast") && isOn === true,
  );
}

// A client that began after a hook was last told of a beginning has not called it: it does not trust the folder, or it
// started before they were wired. It calls them when it begins, so of one that has just begun nothing is said.
function clientsWithoutHooks({
  home,
  configDir,
  now,
}: {
  home: string;
  configDir: string;
  now: number;
}): Finding[] {
  const ranAt = fs.statSync(holdfastPaths(home).hookRunFile, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return listClientProcesses(configDir)
    .filter(({ startedAt }) => startedAt > ranAt + hookStartMsMax && startedAt < now - hookStartMsMax)
    .map(({ pid, sessionId, startedAt }) => ({
      text: `process ${pid}, since ${new Date(startedAt).toISOString()}, session ${sessionId}`,
      sessionId,
    }));
}

// Hooks write only when background work is launched or ends, so silence proves nothing: it is told, and no warning.
function lastSeen(home: string): string {
  const dir = holdfastPaths(home).manifestsDir;
  const days = namesIn(dir).filter((name) => name.endsWith(".jsonl"));
  for (const name of days.toSorted().reverse()) {
    const lines = fs.readFileSync(path.join(dir, name), "utf8").split("\n");
    const line = lines.findLast((each) => each.includes('"source":"hook"'));
    const at = line && /"timestamp":"([^"]+)"/.exec(line)?.[1];
    if (at) return `last recorded background work at ${at}`;
  }
  return "has recorded no background work lately";
}

function lastLine(file: string): string {
  return fs.readFileSync(file, "utf8").trimEnd().split("\n").at(-1)?.slice(0, 200) ?? "";
}
