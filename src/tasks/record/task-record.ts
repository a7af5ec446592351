import type { ProcessIdentity } from "../../lib/process-identity.ts";
import type { AgentSettings } from "../kinds/agent/agent-settings.ts";
import type { LaunchedWork } from "./launched-work.ts";
import type { RemoteSettings } from "../kinds/remote/remote-settings.ts";

/** What a task is. Handlers of each kind live in kinds/. */
export type TaskKind = "local_bash" | "local_agent" | "remote_agent";

/**
 * The launch record: written whole and synced before the launch is acknowledged, never changed afterwards.
 * It holds no environment: that may hold secrets.
 */
export interface TaskRecord {
  schemaVersion: 1;
  id: string;
  kind: TaskKind;
  /** What a person calls it; unique among running tasks of the home. */
  name?: string;
  description: string;
  command: string;
  cwd: string;
  /** The session that launched it and is told of its ending; without one, anyone is. */
  sessionId?: string;
  toolUseId?: string;
  startedAt: string;
  launcher: ProcessIdentity;
  /** Ended tasks of this record say nothing to anybody. */
  muted?: boolean;
  /** The task whose command this one starts once more. */
  restarts?: string;
  /** By which the same work is recognised. Absent in older records. */
  work?: LaunchedWork;
  /** How its supervisor runs it, whatever its kind. */
  shell: ShellSettings;
  /** Only of agents. */
  agent?: AgentSettings;
  /** Only of agents that run on the fleet. */
  remote?: RemoteSettings;
}

export interface ShellSettings {
  shell: string;
  /** stdout and stderr in one file. */
  merged: boolean;
  tty: boolean;
  sandbox: boolean;
  stdin: boolean;
  timeoutMs?: number;
  outputBytesMax: number;
  keepTail: boolean;
  niceness?: number;
  /** Base paths of the tasks that it waits for; without any it waits in a line for one of so many places. */
  waitsFor?: { bases: string[]; slots: number };
}
