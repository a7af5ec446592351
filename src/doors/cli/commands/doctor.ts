import type { CheckedHealth } from "../../../health/run-checks.ts";
import { repairsIn, runChecks } from "../../../health/run-checks.ts";
import type { Command, CommandContext } from "../command.ts";
import { doRepairs, agreeToRepairs, type DoneRepairs } from "../doctor/repair.ts";
import { writeChecks } from "../doctor/write-checks.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { withProgressBar } from "../progress-bar.ts";

interface DoctorOptions {
  repair?: boolean;
  full?: boolean;
  yes?: boolean;
}

export const command: Command<DoctorOptions> = {
  examples: [
    { line: "holdfast doctor", text: "one line a check, with the command that mends it" },
    { line: "holdfast doctor --repair", text: "show what would be mended, ask, keep a backup" },
    { line: "holdfast doctor --json", text: "everything that was found, for programs" },
  ],
  options: [
    { flags: "--repair", text: "mend what can be mended; sessions that somebody has open are left alone" },
    { flags: "--full", text: "examine every transcript, however long it takes" },
    { flags: "-y, --yes", text: "repair without asking" },
  ],
  async run(context, { options }) {
    const checks = await check(context, options);
    if (!options.repair) {
      if (context.isJson) await context.writeJson(reportJson(checks));
      else await writeChecks(context, checks);
      return exitCodeOf(checks);
    }
    const repairs = repairsIn(checks);
    if (!context.isJson) await writeChecks(context, checks);
    if (repairs.length === 0) {
      if (context.isJson) await context.writeJson({ ...reportJson(checks), ...nothingDone });
      else context.say("Nothing to repair.");
      return exitCodeOf(checks);
    }
    await agreeToRepairs(context, repairs, { isAgreed: options.yes === true });
    const done = await doRepairs(context, repairs);
    const after = await check(context, options);
    if (context.isJson) await context.writeJson({ ...reportJson(after), ...done });
    else sayRepaired(context, done, after);
    return done.failed.length > 0 ? exitCodes.failed : exitCodeOf(after);
  },
};

const nothingDone: DoneRepairs = { repaired: [], failed: [], backup: null };

async function check(context: CommandContext, { full }: DoctorOptions): Promise<CheckedHealth[]> {
  const { home, configDir, cwd } = context.environment;
  return withProgressBar(context, "Examining sessions", async (onProgress) => {
    const checks: CheckedHealth[] = [];
    const { onIndexTrouble } = context;
    const options = { home, configDir, cwd, isFull: full === true, onProgress, onIndexTrouble };
    for await (const result of runChecks(options)) checks.push(result);
    const { fleet } = await context.runtime();
    const health = await fleet.health();
    // Beside the other checks of its group.
    const group = "environment";
    if (health)
      checks.splice(checks.findLastIndex((one) => one.group === group) + 1, 0, {
        name: "fleet",
        group,
        ...health,
      });
    return checks;
  });
}

function exitCodeOf(checks: readonly CheckedHealth[]): ExitCode {
  return checks.some(({ status }) => status === "fail") ? exitCodes.failed : exitCodes.ok;
}

function reportJson(checks: readonly CheckedHealth[]): Record<string, unknown> {
  const has = (wanted: string): boolean => checks.some(({ status }) => status === wanted);
  return {
    status: has("fail") ? "fail" : has("warn") ? "warn" : "ok",
    checks: checks.map(({ name, group, status, summary, mend, findings = [] }) => ({
      name,
      group,
      status,
      summary,
      mend: mend ?? null,
      findings,
    })),
    repairs: repairsIn(checks).map(({ path, text }) => ({ path, text })),
  };
}

function sayRepaired({ say }: CommandContext, done: DoneRepairs, after: readonly CheckedHealth[]): void {
  const left = after.filter(({ status }) => status !== "ok").length;
  const rest =
    left === 0
      ? "All checks are ok now."
      : `${left === 1 ? "One check has" : `${left} checks have`} something left to say: holdfast doctor`;
  say(`Repaired ${done.repaired.length} of ${done.repaired.length + done.failed.length}. ${rest}`);
}
