import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { sendControl } from "../transport/controls.ts";
import { fleetError } from "../errors.ts";
import { fetchObject } from "../transport/objects.ts";
import type { BundledWorkspace } from "../transport/run-request.ts";
import { checkTree } from "../workspace/check-tree.ts";
import { carefulGit, withoutUserSettings, type Git } from "../workspace/git.ts";
import { fetchBundle, unpackWorkspace } from "../workspace/unpack-workspace.ts";
import { holdfastPaths } from "../../format/paths.ts";
import { ensurePrivateDir } from "../../lib/private-dir.ts";
import type { SessionStore } from "../../store/session-store.ts";
import type { Tasks } from "../../tasks/open-tasks.ts";
import type { Task } from "../../tasks/record/task.ts";
import { isEnded } from "../../tasks/record/task-state.ts";
import type { FleetPlace } from "../server/fleet-address.ts";
import { withFleet } from "../server/with-fleet.ts";
import { readKeptWorkspace } from "./follow-run.ts";

/** Where a run came home to. */
export interface Homecoming {
  /** The task, with the folder in which it can go on. */
  task: Task;
  /** Undefined when only a branch was made. */
  folder: string | undefined;
  branch: string | undefined;
  /** It was still running, or had not given its answer. */
  isUnfinished: boolean;
  /** What of its folder could not come along, in sentences. */
  missing: readonly string[];
}

export interface HomecomingOptions {
  /** A new folder for the workspace; one beside the old is chosen when absent. */
  worktree?: string | undefined;
  /** Only a branch in the repository it came from, no folder. */
  branch?: string | undefined;
}

/**
 * Brings a remote run home: ends it there with its workspace kept, waits until everything it said is in the transcript
 * here, and puts the workspace into a worktree of its own, or a branch. Nothing of the old folder is touched.
 */
export async function bringHome(
  place: FleetPlace,
  { tasks, sessions }: { tasks: Tasks; sessions: SessionStore },
  given: Task,
  options: HomecomingOptions,
): Promise<Homecoming> {
  const { record } = given;
  const { remote } = record;
  if (!remote || !record.agent)
    throw fleetError("run_not_found", `Cannot bring task "${record.id}" home: it does not run on the fleet`);
  return withFleet(place, "dispatcher", async (connection) => {
    if (!isEnded((await tasks.refresh(given)).state)) {
      await sendControl(connection, remote, { kind: "bring-home", by: place.userName });
      await tasks.wait(given);
    }
    const task = await tasks.refresh(given);
    const isUnfinished = task.state.status === "stopped";
    const { workspace: kept, leftOut = [], refused } = readKeptWorkspace(task.files);
    const missing = [...leftOut, ...(refused === undefined ? [] : [refused])];
    if (!kept) return { task, folder: record.cwd, branch: undefined, isUnfinished, missing };
    const links = remote.links ?? false;

    const git = carefulGit(place.variables);
    const tempDir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-home-"));
    try {
      const file = path.join(tempDir, "workspace.bundle");
      await fetchObject(connection, kept, { file });
      const name = remote.sessionId.slice(0, 8);
      const top = await topOf(git, record.cwd);
      const branch = options.branch ?? `holdfast/${name}`;
      if (options.branch !== undefined) {
        if (top === undefined)
          throw fleetError(
            "bundle_refused",
            `Cannot make a branch: "${record.cwd}" is not a repository; use --worktree`,
          );
        await addBranch(git, { top, file, kept, links, branch });
        return { task, folder: undefined, branch, isUnfinished, missing };
      }
      const dir = path.resolve(options.worktree ?? `${top ?? record.cwd}-${name}`);
      if (fs.existsSync(dir)) throw fleetError("fleet_conflict", `Cannot use folder "${dir}": it exists`);
      const isWorktree = top !== undefined && kept.hasHistory;
      if (isWorktree) await addWorktree(git, { top, file, kept, links, branch, dir });
      else await unpackWorkspace(withoutUserSettings(git), { ...kept, file, dir, links });
      const folder = fs.realpathSync(path.join(dir, kept.subdir));
      return {
        task: await moveTask(task, { sessions, folder, home: place.home }),
        folder,
        branch: isWorktree ? branch : undefined,
        isUnfinished,
        missing,
      };
    } finally {
      fs.rmSync(tempDir, { recursive: true, force: true });
    }
  });
}

async function topOf(git: Git, cwd: string): Promise<string | undefined> {
  try {
    return (await git(["rev-parse", "--show-toplevel"], { cwd })).trim();
  } catch {
    return undefined;
  }
}

interface Arrival {
  top: string;
  file: string;
  kept: BundledWorkspace;
  links: boolean;
  branch: string;
}

// The commits of the agent, and what it had not committed as one more.
async function addBranch(git: Git, { top, file, kept, links, branch }: Arrival): Promise<void> {
  await fetchBundle(git, { file, dir: top, work: kept.work });
  await checkTree(git, { cwd: top, tree: kept.work, links });
  await git(["branch", "--no-track", "--", branch, kept.work], { cwd: top });
}

// The commits of the agent as a branch; what it had not committed is not committed here either.
async function addWorktree(
  git: Git,
  { top, file, kept, links, branch, dir }: Arrival & { dir: string },
): Promise<void> {
  await fetchBundle(git, { file, dir: top, work: kept.work });
  for (const tree of [kept.base, kept.work]) await checkTree(git, { cwd: top, tree, links });
  await git(["worktree", "add", "--quiet", "--no-checkout", "-b", branch, dir, kept.base], { cwd: top });
  await git(["reset", "--quiet", "--hard", kept.work], { cwd: dir });
  await git(["reset", "--quiet", "--mixed", kept.base], { cwd: dir });
}

// The session goes where the work is, so that every client finds it there.
async function moveTask(
  task: Task,
  { sessions, folder, home }: { sessions: SessionStore; folder: string; home: string },
): Promise<Task> {
  const { files, record } = task;
  const agent = record.agent!;
  const moved = await sessions.move(await sessions.find(agent.transcript.path), folder);
  fs.rmSync(files.output, { force: true });
  fs.symlinkSync(moved.path, files.output);
  // Its new project may not have had a task yet.
  ensurePrivateDir(holdfastPaths(home).tasksDir(moved.projectKey));
  const transcript = { ...agent.transcript, path: moved.path };
  return { ...task, record: { ...record, cwd: folder, agent: { ...agent, transcript } } };
}
