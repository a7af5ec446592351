import fs from "node:fs";
import path from "node:path";
import { hookFailureAgeMsMax, hookStartMsMax } from "./limits.ts";
import { ownHandlers } from "../../format/own-hooks.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { readSettings } from "../../store/companions/index.ts";
import { namesIn } from "../../lib/names-in.ts";
import { listClientProcesses } from "../../store/write/client-processes.ts";
import { tryHook, type TriedHook } from "./try-hook.ts";
import type { Finding, HealthCheck } from "../health-check.ts";

/** Whether the client calls Holdfast's hooks, and whether they work: a hook that fails says so only in a log. */
export const hooks: HealthCheck = {
  name: "hooks",
  group: "environment",
  async run({ home, configDir, clock }) {
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
    const log = path.join(home, "hook-errors.log");
    const loggedBefore = writtenAt(log);
    const broken = await brokenHooks(values, configDir);
    if (broken.length > 0)
      return {
        status: "fail",
        summary: "wired, but what they name does not work: sessions are not told what runs in the background",
        findings: broken,
        suggestion: { verb: "plugin install" },
      };
    if (writtenAt(log) > loggedBefore)
      return {
        status: "warn",
        summary: "wired, but one that was tried just now failed",
        findings: [{ text: lastLine(log), path: log }],
      };
    const deaf = clientsWithoutHooks({ home, configDir, now: clock.now().getTime() });
    if (deaf.length > 0)
      return {
        status: "warn",
        summary: `installed, but ${deaf.length === 1 ? "a running client has" : `${deaf.length} running clients have`} not called them; restart ${deaf.length === 1 ? "it" : "them"}`,
        findings: deaf,
      };
    const failedAt = writtenAt(log);
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
function isWired(settings: Record<string, unknown>): boolean {
  return wiredHooks(settings).length > 0;
}

/** Those that a client would run at the beginning of a session, each once. A plugin's call the command by its name. */
function wiredHooks(settings: Record<string, unknown>): TriedHook[] {
  const own = ownHandlers(settings).flatMap(({ command, args }): TriedHook[] => {
    if (typeof command !== "string") return [];
    if (!Array.isArray(args)) return [{ command, args: undefined }];
    return args.includes("--wake") ? [] : [{ command, args: args.map(String) }];
  });
  const all = hasPlugin(settings) ? [...own, { command: "holdfast", args: ["hook"] }] : own;
  return [...new Map(all.map((hook) => [JSON.stringify(hook), hook])).values()];
}

async function brokenHooks(settings: Record<string, unknown>, cwd: string): Promise<Finding[]> {
  const tried = await Promise.all(
    wiredHooks(settings).map(async (hook): Promise<Finding[]> => {
      const trouble = await tryHook(hook, cwd);
      return trouble === undefined
        ? []
        : [{ text: `${[hook.command, ...(hook.args ?? [])].join(" ")}: ${trouble}` }];
    }),
  );
  return tried.flat();
}

function writtenAt(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function hasPlugin({ enabledPlugins }: Record<string, unknown>): boolean {
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
