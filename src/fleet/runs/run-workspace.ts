import fs from "node:fs";
import path from "node:path";
import { leftOutMax, workspaceCheckpointMs } from "./limits.ts";
import type { FleetConnection } from "../transport/connection.ts";
import type { ClaimedRun } from "./handle-run.ts";
import { fetchObject, putObject } from "../transport/objects.ts";
import { isBundle, type BundledWorkspace } from "../transport/run-request.ts";
import { cloneWorkspace } from "../workspace/clone-workspace.ts";
import { withoutUserSettings, type Git } from "../workspace/git.ts";
import { packWorkspace, type PackedWorkspace } from "../workspace/pack-workspace.ts";
import { codeOf } from "../../lib/errors.ts";
import { unpackWorkspace } from "../workspace/unpack-workspace.ts";

/** The folder in which a run's agent works. Its state goes to the fleet now and then, so that another worker has it. */
export interface RunWorkspaceFolder {
  cwd: string;
  /** When the state was kept from which this worker began; undefined for the first one. */
  restoredAt: string | undefined;
  /** Keeps the state if the last one is some time ago. */
  keepSometimes(): Promise<void>;
  keep(): Promise<void>;
}

/** Makes the folder as the run was dispatched with it, or as the last worker left it, in the run's own `dir`. */
export async function openRunWorkspace(
  { connection, git, dir }: { connection: FleetConnection; git: Git; dir: string },
  run: ClaimedRun,
): Promise<RunWorkspaceFolder> {
  const { request, events, signal } = run;
  const top = path.join(dir, "workspace");
  const { workspace, links = false } = request;
  const ownGit = workspace.kind === "clone" ? git : withoutUserSettings(git);
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
  // A folder without a file in it is not in the bundle.
  if (subdir !== "") await makeDir(cwd);
  let keptAt = performance.now();

  return { cwd, restoredAt, keep, keepSometimes };

  async function prepare(): Promise<string | undefined> {
    if (workspace.kind === "bundle") {
      await unpack(workspace);
      return workspace.hasHistory ? workspace.base : undefined;
    }
    if (workspace.kind === "empty") {
      await makeDir(top);
      return undefined;
    }
    await cloneWorkspace(git, { ...workspace, dir: top, links, signal });
    return (await git(["rev-parse", "HEAD"], { cwd: top, signal })).trim();
  }

  async function unpack(bundle: BundledWorkspace): Promise<void> {
    const file = path.join(dir, "fetched.bundle");
    await fetchObject(connection, bundle, { file, signal });
    await unpackWorkspace(ownGit, { ...bundle, file, dir: top, links, signal });
    await fs.promises.rm(file);
  }

  async function keepSometimes(): Promise<void> {
    if (performance.now() - keptAt >= workspaceCheckpointMs) await keep();
  }

  // An agent may do to its folder what it likes: what cannot be kept is said, and the run goes on.
  async function keep(): Promise<void> {
    if (await isUntouched()) return;
    const tempDir = await fs.promises.mkdtemp(path.join(dir, "pack-"));
    try {
      const options = { cwd, tempDir, since, links, onRefused: "leave-out" } as const;
      const packed = await packWorkspace(ownGit, options);
      if (packed && packed.work !== last) await store(packed);
    } catch (error) {
      if (codeOf(error) !== "bundle_refused") throw error;
      const at = new Date().toISOString();
      await run.append({ kind: "workspace-refused", why: (error as Error).message, at });
    } finally {
      keptAt = performance.now();
      await fs.promises.rm(tempDir, { recursive: true, force: true });
    }
  }

  // Nothing was sent, and nothing was made: for that no git need be started.
  async function isUntouched(): Promise<boolean> {
    if (workspace.kind !== "empty" || last !== undefined) return false;
    const names = await fs.promises.readdir(top).catch(() => []);
    return names.length === 0;
  }

  async function store({ file, leftOut, ...bundle }: PackedWorkspace): Promise<void> {
    const stored = await putObject(connection, request.sessionId, await fs.promises.readFile(file));
    const sentences = leftOut.slice(0, leftOutMax).map(({ why }) => why);
    await run.append({
      kind: "workspace",
      workspace: { ...bundle, ...stored },
      ...(sentences.length > 0 && { leftOut: sentences }),
      at: new Date().toISOString(),
    });
    last = bundle.work;
  }
}

async function makeDir(dir: string): Promise<void> {
  await fs.promises.mkdir(dir, { recursive: true, mode: 0o700 });
}
