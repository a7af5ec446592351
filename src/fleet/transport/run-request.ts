import { parseJson } from "../../lib/read-json.ts";
import type { AgentLimits, PermissionPolicy, RunnerSpec } from "../../tasks/kinds/agent/agent-settings.ts";
import { fleetError } from "../errors.ts";
import { isSubjectToken } from "./names.ts";
import { isGitFolder } from "../workspace/git-folder.ts";

/** A run as it is dispatched: everything a worker needs to know, and nothing secret. */
export interface RunRequest {
  schemaVersion: 1;
  sessionId: string;
  /** 1 for the first run of a session, then one more each time somebody has something new to say. */
  run: number;
  /** Tells this dispatch from another one of the same run: only one of them counts. Absent before 0.2. */
  dispatch?: string | undefined;
  queue: string;
  prompt: string;
  description: string;
  agent: RunAgentSettings;
  workspace: RunWorkspace;
  /** Links that stay inside of the workspace travel along, both ways; without this, a workspace with any is refused. */
  links?: boolean | undefined;
  /** What the session had said before it came to the fleet. */
  base?: StoredObject | undefined;
  timeoutMs?: number | undefined;
  /** Where it came from, for people. */
  origin: { host: string; user: string; cwd: string };
  dispatchedAt: string;
}

/** How the agent is run: in the words of a local agent's settings. */
export interface RunAgentSettings {
  runner: Omit<RunnerSpec, "name"> & { name: string };
  type?: string | undefined;
  model?: string | undefined;
  permission: PermissionPolicy;
  limits: AgentLimits;
}

export type RunWorkspace =
  /** The folder from which it was dispatched, committed or not. */
  | ({ kind: "bundle" } & BundledWorkspace)
  /** A repository that the worker can reach itself. */
  | { kind: "clone"; remote: string; commit?: string }
  | { kind: "empty" };

/** A workspace in the object store; see packWorkspace for what its commits are. */
export interface BundledWorkspace extends StoredObject {
  work: string;
  base: string;
  hasHistory: boolean;
  subdir: string;
}

/** Something in the object store, named after its content. */
export interface StoredObject {
  object: string;
  bytes: number;
}

export function encodeRun(request: RunRequest): Uint8Array {
  return Buffer.from(JSON.stringify(request));
}

/** Reads a run off the wire, distrustfully: undefined for what is none. */
export function parseRun(bytes: Uint8Array): RunRequest | undefined {
  const request = parseJson(bytes) as RunRequest | null | undefined;
  if (request?.schemaVersion !== 1 || !isSubjectToken(request.sessionId)) return undefined;
  if (!Number.isSafeInteger(request.run) || request.run < 1 || !isSubjectToken(request.queue))
    return undefined;
  if (typeof request.prompt !== "string" || typeof request.agent?.runner?.name !== "string") return undefined;
  return isWorkspace(request.workspace) ? request : undefined;
}

function isWorkspace(workspace: RunWorkspace | undefined): boolean {
  switch (workspace?.kind) {
    case "empty":
      return true;
    case "bundle":
      return isBundle(workspace);
    case "clone":
      return isRemote(workspace.remote) && (workspace.commit === undefined || isCommit(workspace.commit));
    default:
      return false;
  }
}

/** Whether every part of it may become a path or a commit. */
export function isBundle({ work, base, subdir, object }: BundledWorkspace): boolean {
  const isInside =
    typeof subdir === "string" &&
    !subdir.startsWith("/") &&
    !subdir.split("/").some((part) => part === ".." || isGitFolder(part));
  return isCommit(work) && isCommit(base) && isInside && isObjectName(object);
}

/** Names of objects are ours: a session and the checksum of what is stored. */
export function isObjectName(name: unknown): name is string {
  return typeof name === "string" && /^[A-Za-z0-9_-]{1,64}\/[0-9a-f]{64}$/.test(name);
}

function isCommit(commit: unknown): boolean {
  return typeof commit === "string" && /^[0-9a-f]{40,64}$/.test(commit);
}

// git takes `ext::` for a command and a leading dash for an option.
function isRemote(remote: unknown): boolean {
  return typeof remote === "string" && /^(?:https:\/\/|ssh:\/\/|git@[\w.-]+:)[^\s-][^\s]*$/.test(remote);
}

/** Throws `bundle_refused` when git could take the address for something else than an address. */
export function checkRemote(remote: string): void {
  if (isRemote(remote)) return;
  throw fleetError("bundle_refused", `Cannot clone "${remote}": give an https:// or ssh:// address`);
}
