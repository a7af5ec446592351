import type { HealthReport } from "../../../health/check-health.ts";
import type { DoneRepairs } from "../../../health/repair/do-repairs.ts";
import { healthView } from "../../../runtime/views/finding-view.ts";
import { defineCommand, type Command, type CommandContext } from "../command.ts";
import { agreeToRepairs, doRepairs } from "../doctor/repair.ts";
import { writeChecks } from "../doctor/write-checks.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { withProgressBar } from "../progress-bar.ts";
import { suggestionText } from "../../../lib/suggestion-text.ts";

export const command: Command = defineCommand({
  examples: [
    { line: "holdfast doctor", text: "one line per check, with the command that fixes it" },
    { line: "holdfast doctor --repair", text: "show what would be fixed, ask, keep a backup" },
    { line: "holdfast doctor --json", text: "everything that was found, for programs" },
  ],
  options: [
    { flags: "--repair", text: "fix what can be fixed; open sessions are left alone" },
    { flags: "--full", text: "examine every transcript, however long it takes" },
    { flags: "-y, --yes", text: "repair without asking" },
  ],
  async run(context, { options }) {
    const report = await check(context, options);
    if (!options.repair) {
      if (context.isJson) await context.writeJson(reportJson(report));
      else await writeReport(context, report);
      return exitCodeOf(report);
    }
    if (!context.isJson) await writeReport(context, report);
    if (report.repairs.length === 0) {
      if (context.isJson) await context.writeJson({ ...reportJson(report), ...nothingDone });
      else context.say("Nothing to repair.");
      return exitCodeOf(report);
    }
    await agreeToRepairs(context, report.repairs, { isAgreed: options.yes === true });
    const done = await doRepairs(context, report.repairs);
    const after = await check(context, options);
    if (context.isJson) await context.writeJson({ ...reportJson(after), ...done });
    else sayRepaired(context, done, after);
    return done.failed.length > 0 ? exitCodes.failed : exitCodeOf(after);
  },
});

// The checks take more than a small window; what it is about must not scroll away.
async function writeReport(context: CommandContext, { checks }: HealthReport): Promise<void> {
  await writeChecks(context, checks);
  const names = checks.filter(({ status }) => status !== "ok").map(({ name }) => name);
  context.say(
    names.length === 0
      ? `All ${checks.length} checks are ok.`
      : `${checks.length - names.length} of ${checks.length} checks are ok. Look at: ${names.join(", ")}`,
  );
}

const nothingDone: DoneRepairs = { repaired: [], failed: [], backup: null };

async function check(context: CommandContext, { full }: { full?: boolean }): Promise<HealthReport> {
  const { health } = await context.runtime();
  const { cwd } = context.environment;
  return withProgressBar(context, "Examining sessions", (onProgress) =>
    health.check({ cwd, isFull: full === true, onProgress }),
  );
}

function exitCodeOf({ status }: HealthReport): ExitCode {
  return status === "fail" ? exitCodes.failed : exitCodes.ok;
}

/** `mend` is the suggestion as a command line. */
function reportJson(report: HealthReport): Record<string, unknown> {
  const { status, checks, repairs } = healthView(report);
  const withMend = checks.map(({ name, group, status: each, summary, suggestion, findings }) => {
    const mend = suggestion && suggestionText(suggestion);
    return { name, group, status: each, summary, mend, suggestion, findings };
  });
  return { status, checks: withMend, repairs };
}

function sayRepaired({ say }: CommandContext, done: DoneRepairs, { checks }: HealthReport): void {
  const left = checks.filter(({ status }) => status !== "ok").length;
  const rest =
    left === 0
      ? "All checks are ok now."
      : `${left === 1 ? "One check has" : `${left} checks have`} something left to say: holdfast doctor`;
  say(`Repaired ${done.repaired.length} of ${done.repaired.length + done.failed.length}. ${rest}`);
}
