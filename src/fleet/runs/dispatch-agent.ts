import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { connectFleet, type FleetConnection } from "../transport/connection.ts";
import { sendControl } from "../transport/controls.ts";
import { dispatchRun } from "../transport/dispatch-run.ts";
import { defaultQueue } from "../transport/names.ts";
import { putObject } from "../transport/objects.ts";
import { checkRemote, type RunRequest, type RunWorkspace } from "../transport/run-request.ts";
import { findSessionState } from "../transport/session-states.ts";
import { carefulGit } from "../workspace/git.ts";
import { packWorkspace } from "../workspace/pack-workspace.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import { refuseWhileInUse } from "../../store/write/session-writer.ts";
import type { AgentRequest } from "../../agents/launch/agent-request.ts";
import { portableRunner } from "../../agents/launch/check-runner.ts";
import type { Task } from "../../tasks/record/task.ts";
import { firstLine } from "../../tasks/supervise/launch-task.ts";
import { fleetAddress, type FleetPlace } from "../server/fleet-address.ts";
import { remoteSettings, type RemoteRequest } from "./launch-remote.ts";

/** An agent for the fleet. */
export interface RemoteAgentRequest extends Omit<AgentRequest, "after" | "queue" | "parentTaskId"> {
  /** Only workers with this label take it. */
  label?: string | undefined;
  /** A repository that the worker clones, instead of being sent the folder. */
  clone?: string | undefined;
  /** Links that stay inside of the folder travel along; without this, a folder with any is refused. */
  links?: boolean | undefined;
  /** A local session that goes on there. */
  from?: SessionRef | undefined;
}

/**
 * Sends an agent to the fleet, with its folder, and follows it here as a task. When this returns, the run is on the servers'
 * disks and the follower runs: the agent goes on whatever becomes of this machine.
 */
export async function dispatchAgent(
  place: FleetPlace,
  request: RemoteAgentRequest,
  follow: (request: RemoteRequest) => Promise<Task>,
): Promise<Task> {
  const address = fleetAddress(place, "dispatcher");
  const connection = await connectFleet(address, { name: "holdfast agent --remote" });
  try {
    const sessionId = request.from?.sessionId ?? randomUUID();
    if (request.from) refuseWhileInUse(place.configDir, sessionId);
    const runner = portableRunner(request.runner, request.cwd);
    const { type, model, permission = "ask", limits = {} } = request;
    const earlier = await findSessionState(connection, sessionId);
    const run: RunRequest = {
      schemaVersion: 1,
      sessionId,
      run: (earlier?.state.run ?? 0) + 1,
      dispatch: randomUUID(),
      queue: request.label ?? defaultQueue,
      prompt: request.prompt,
      description: request.description ?? firstLine(request.prompt),
      agent: { runner: { ...runner }, type, model, permission, limits },
      workspace: await sendWorkspace(connection, request, { sessionId, variables: place.variables }),
      links: request.links || undefined,
      base: request.from && (await putObject(connection, sessionId, fs.readFileSync(request.from.path))),
      timeoutMs: request.timeoutMs,
      origin: { host: os.hostname(), user: place.userName, cwd: request.cwd },
      dispatchedAt: new Date().toISOString(),
    };
    await dispatchRun(connection, run);
    try {
      return await follow({
        ...request,
        runner,
        projectKey: request.from?.projectKey,
        remote: { ...remoteSettings(address, run), ...(request.links === true && { links: true }) },
      });
    } catch (error) {
      // Nobody here would ever hear of it.
      await sendControl(connection, run, { kind: "stop", by: "a launch that failed" });
      throw error;
    }
  } finally {
    await connection.close();
  }
}

async function sendWorkspace(
  connection: FleetConnection,
  { cwd, clone, links = false }: RemoteAgentRequest,
  { sessionId, variables }: { sessionId: string; variables: Readonly<Record<string, string | undefined>> },
): Promise<RunWorkspace> {
  if (clone !== undefined) {
    checkRemote(clone);
    return { kind: "clone", remote: clone };
  }
  const tempDir = fs.mkdtempSync(path.join(os.tmpdir(), "holdfast-pack-"));
  try {
    const options = { cwd, tempDir, links, onRefused: "throw" } as const;
    const packed = await packWorkspace(carefulGit(variables), options);
    if (!packed) return { kind: "empty" };
    const { file, leftOut: _, ...bundle } = packed;
    return { kind: "bundle", ...bundle, ...(await putObject(connection, sessionId, fs.readFileSync(file))) };
  } finally {
    fs.rmSync(tempDir, { recursive: true, force: true });
  }
}
