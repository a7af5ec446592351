import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { holdfastPaths, projectKey } from "../format/paths.ts";
import { codeOf } from "../lib/errors.ts";
import { namesIn } from "../lib/names-in.ts";
import { findByLooking } from "./found-by-looking.ts";
import { manifestLineBytesMax, rotatedManifestBytesMax } from "./limits.ts";
import { runningTasks } from "./list-launched.ts";
import { openLookContext } from "./open-look-context.ts";
import { itemOf, lookAtLaunch } from "./look-at-launch.ts";
import { parseManifestLine } from "./manifest-line.ts";
import { foldManifest, type ManifestItem } from "./read-manifest.ts";
import type { RecoverOptions } from "./recover-options.ts";
import type { RecoveredItem } from "./recovered-item.ts";

/** A launch, whatever has become of it. `removed`: it has ended, and the task with all that was known of the ending was removed. */
export type Launched = Omit<RecoveredItem, "status"> & { status: RecoveredItem["status"] | "removed" };

export interface LaunchesOptions extends Pick<RecoverOptions, "home" | "configDir" | "clock" | "tempDirs"> {
  since: Date;
  /** The project; without it, all of them. */
  projectDir?: string | undefined;
}

/**
 * Every launch since a moment, newest first, whoever was told of what: those that the manifests name, also the ones that were put
 * aside and compressed, and those that no hook told of. Reads all manifests that were written to since then.
 */
export function launchesSince({ since, ...options }: LaunchesOptions): Launched[] {
  const { home, projectDir } = options;
  const from = since.toISOString();
  const context = openLookContext(options);
  const recorded = foldManifest(readLinesSince(manifestDir(home, projectDir), since), { isEveryRun: true });
  const known = new Set(recorded.map(({ launch }) => launch.agent_id));
  const unrecorded = [
    ...runningTasks(options).filter(({ id }) => !known.has(id)),
    ...findByLooking({
      ...options,
      tempDirs: options.tempDirs ?? [os.tmpdir(), "/tmp"],
      openOutputs: context.openOutputs(),
      lookMoved: context.lookMoved,
      known,
    }),
  ];
  const launches: Launched[] = [
    ...recorded
      .filter(({ launch }) => launch.timestamp >= from)
      .map((item) => lookAtLaunch(item, context) ?? removed(item)),
    ...unrecorded.filter(({ startedAt }) => startedAt >= from),
  ];
  return launches.sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
}

function removed(item: ManifestItem): Launched {
  return { ...itemOf(item, { status: "lost", knownBy: ["manifest"] }), status: "removed" };
}

function manifestDir(home: string, projectDir: string | undefined): string {
  const paths = holdfastPaths(home);
  return projectDir === undefined ? paths.manifestsDir : paths.projectDir(projectKey(projectDir));
}

/** What the manifests of all days say, the rotated and compressed ones, too: the newest run of each task. */
export function everyLaunch(home: string): ManifestItem[] {
  return foldManifest(readLinesSince(manifestDir(home, undefined), new Date(0)));
}

// In the order of their names, which is that of their times: what was put aside comes before what is written to now.
function* readLinesSince(
  dir: string,
  since: Date,
): Generator<NonNullable<ReturnType<typeof parseManifestLine>>> {
  const names = namesIn(dir)
    .filter((name) => /^background[.-].*jsonl(\.zst)?$/.test(name))
    .sort();
  for (const name of names) {
    // Both are there when the compression was interrupted.
    if (name.endsWith(".zst") && names.includes(name.slice(0, -".zst".length))) continue;
    for (const line of readIfNewer(path.join(dir, name), since)?.split("\n") ?? []) {
      const parsed = line === "" || line.length > manifestLineBytesMax ? undefined : parseManifestLine(line);
      if (parsed) yield parsed;
    }
  }
}

function readIfNewer(file: string, since: Date): string | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
  } catch (error) {
    // Compressed or removed meanwhile.
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    if (fs.fstatSync(fd).mtimeMs < since.getTime()) return undefined;
    const bytes = fs.readFileSync(fd);
    if (!file.endsWith(".zst")) return bytes.toString("utf8");
    return zstdDecompressSync(bytes, { maxOutputLength: rotatedManifestBytesMax }).toString("utf8");
  } finally {
    fs.closeSync(fd);
  }
}
