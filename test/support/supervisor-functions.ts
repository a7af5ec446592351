import { spawnSync } from "node:child_process";
import { supervisorText, type SupervisorNeeds } from "../../src/tasks/supervise/supervisor-text.ts";

/** The marker of the supervisor whose functions are run. */
export const supervisorSecret = "b1.secret";

/** The supervisor's functions as text, without what calls them. */
export function supervisorFunctions(needs: SupervisorNeeds = {}): string {
  return supervisorText({ hasGroup: false, ...needs }).replace(/^_id=\$1[^]*/m, "");
}

/** Runs a script under that shell, called sh, and returns what it prints. */
export function runUnder(program: string, script: string, env: NodeJS.ProcessEnv = {}): string {
  return spawnSync(program, ["-c", script], {
    argv0: "sh",
    encoding: "utf8",
    env: { PATH: "/usr/bin:/bin", HOLDFAST_SUPERVISOR: supervisorSecret, ...env },
  }).stdout;
}
