import type { SessionStore } from "../../../store/index.ts";
import type { PermissionPolicy, RunnerSpec } from "../../../tasks/kinds/agent/agent-settings.ts";
import type { PermissionRules } from "../../../agents/host/permission-rule.ts";
import type { Agents } from "../../../agents/open-agents.ts";
import type { Tasks } from "../../../tasks/open-tasks.ts";
import type { Runner } from "../../../tasks/ports.ts";

/** Everything that the chat works with, given to it once. */
export interface ChatWorld {
  sessions: SessionStore;
  tasks: Tasks;
  agents: Agents;
  /** Who answers, and how another process would start the same. */
  runner: Runner;
  spec: RunnerSpec;
  model?: string | undefined;
  permission: PermissionPolicy;
  rules: PermissionRules;
  cwd: string;
  userHome: string;
  /** Who stops a task, for its ending. */
  userName: string;
  /** The environment of whatever the agent starts. */
  env: Readonly<Record<string, string | undefined>>;
}
