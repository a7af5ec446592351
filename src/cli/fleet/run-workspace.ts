import fs from "node:fs";
import path from "node:path";
import { workspaceCheckpointMs } from "../../format/limits.ts";
import type { FleetConnection } from "../../fleet/connection.ts";
import type { ClaimedRun } from "../../fleet/handle-run.ts";
import { fetchObject, putObject } from "../../fleet/objects.ts";
import { isBundle, type BundledWorkspace } from "../../fleet/run-request.ts";
import { cloneWorkspace } from "../../fleet/workspace/clone-workspace.ts";
import type { Git } from "../../fleet/workspace/git.ts";
import { packWorkspace } from "../../fleet/workspace/pack-workspace.ts";
import { unpackWorkspace } from "../../fleet/workspace/unpack-workspace.ts";

/** The folder in which a run's agent works. Its state goes to the fleet now and then, so that another worker has it. */
export interface RunWorkspaceFolder {
  cwd: string;
  /** When the state was kept from which this worker began; undefined for the first one. */
  restoredAt: string | undefined;
  /** Keeps the state if the last one is some time ago. */
  keepSometimes(): Promise<void>;
  keep(): Promise<void>;
}

export interface WorkspaceContext {
  connection: FleetConnection;
  git: Git;
  /** The run's own folder. */
  dir: string;
}

/** Makes the folder as the run was dispatched with it, or as the last worker left it. */
export async function openRunWorkspace(
  { connection, git, dir }: WorkspaceContext,
  run: ClaimedRun,
): Promise<RunWorkspaceFolder> {
  const { request, events, signal } = run;
  const top = path.join(dir, "workspace");
  const { workspace } = request;
  const since = await prepare();
  const kept = events.findLast(({ event }) => event.kind === "workspace")?.event;
  let last: string | undefined;
  let restoredAt: string | undefined;
  if (kept?.kind === "workspace" && isBundle(kept.workspace)) {
    await unpack(kept.workspace);
    last = kept.workspace.work;
    restoredAt = kept.at;
  }
  const subdir = workspace.kind === "bundle" ? workspace.subdir : "";
  const cwd = path.join(top, subdir);
  fs.mkdirSync(cwd, { recursive: true, mode: 0o700 });
  let keptAt = performance.now();

  return { cwd, restoredAt, keep, keepSometimes };

  async function prepare(): Promise<string | undefined> {
    if (workspace.kind === "bundle") {
      await unpack(workspace);
      return workspace.hasHistory ? workspace.base : undefined;
    }
    if (workspace.kind === "empty") {
      fs.mkdirSync(top, { recursive: true, mode: 0o700 });
      return undefined;
    }
    await cloneWorkspace(git, { ...workspace, dir: top, signal });
    return (await git(["rev-parse", "HEAD"], { cwd: top, signal })).trim();
  }

  async function unpack(bundle: BundledWorkspace): Promise<void> {
    const file = path.join(dir, "fetched.bundle");
    fs.rmSync(file, { force: true });
    await fetchObject(connection, bundle, { file, signal });
    await unpackWorkspace(git, { ...bundle, file, dir: top, signal });
    fs.rmSync(file);
  }

  async function keepSometimes(): Promise<void> {
    if (performance.now() - keptAt >= workspaceCheckpointMs) await keep();
  }

  async function keep(): Promise<void> {
    const tempDir = fs.mkdtempSync(path.join(dir, "pack-"));
    try {
      const packed = await packWorkspace(git, { cwd, tempDir, since });
      if (packed && packed.work !== last) {
        const stored = await putObject(connection, request.sessionId, fs.readFileSync(packed.file));
        const { work, base, hasHistory, subdir: below } = packed;
        const state: BundledWorkspace = { ...stored, work, base, hasHistory, subdir: below };
        await run.append({ kind: "workspace", workspace: state, at: new Date().toISOString() });
        last = work;
      }
      keptAt = performance.now();
    } finally {
      fs.rmSync(tempDir, { recursive: true, force: true });
    }
  }
}
