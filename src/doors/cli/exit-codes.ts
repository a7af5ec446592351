/** What the exit code of a command says. `wait` and `run --wait` also pass a task's own code on. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  needsInput: 4,
  conflict: 5,
  timeout: 124,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodesText: string =
  "0 ok, 1 failed, 2 usage, 3 not found, 4 needs input, 5 conflict, 124 timeout, 130 interrupted";

/** The door's one translation of error codes; what is not listed is a plain failure. */
const byErrorCode: Readonly<Record<string, ExitCode>> = {
  usage: exitCodes.usage,
  query_invalid: exitCodes.usage,
  search_interrupted: exitCodes.interrupted,
  invalid_name: exitCodes.usage,
  runner_invalid: exitCodes.usage,
  setting_invalid: exitCodes.usage,
  setting_refused: exitCodes.usage,
  session_elsewhere: exitCodes.usage,
  session_not_found: exitCodes.notFound,
  entry_not_found: exitCodes.notFound,
  entry_ambiguous: exitCodes.conflict,
  trash_not_found: exitCodes.notFound,
  companion_not_found: exitCodes.notFound,
  archive_not_found: exitCodes.notFound,
  session_archived: exitCodes.conflict,
  needs_confirmation: exitCodes.needsInput,
  declined: exitCodes.ok,
  no_dashboard: exitCodes.notFound,
  no_agent: exitCodes.needsInput,
  agent_unfenced: exitCodes.needsInput,
  session_ambiguous: exitCodes.conflict,
  session_in_use: exitCodes.conflict,
  conflict: exitCodes.conflict,
  target_exists: exitCodes.conflict,
  output_exists: exitCodes.conflict,
  task_not_found: exitCodes.notFound,
  task_ambiguous: exitCodes.conflict,
  task_limit: exitCodes.conflict,
  run_not_found: exitCodes.notFound,
  fleet_conflict: exitCodes.conflict,
  fleet_invalid: exitCodes.usage,
};

export function exitCodeOf(errorCode: string): ExitCode {
  return byErrorCode[errorCode] ?? exitCodes.failed;
}
