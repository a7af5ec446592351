import { timeOf, titleOf } from "../../../conversation/export/export-source.ts";
import { formatDollars } from "../../../lib/quantities.ts";
import { terminalLine } from "../../../lib/terminal-text.ts";
import type { Runtime } from "../../../runtime/index.ts";
import type { SessionRef } from "../../../store/list/find-session.ts";
import type { CommandContext } from "../command.ts";
import { cutEnd } from "../render/cut-text.ts";
import { displayPath } from "../render/display-path.ts";
import { wrapText } from "../render/wrap-text.ts";

/** A prompt that stands for a title may be long. */
const TITLE_COLUMNS = 200;

/** What a conversation is called, and where, when, with which model and at what cost it was held. */
export async function sessionHeader(
  { runtime, environment }: CommandContext,
  { session, isCounted }: { session: SessionRef; isCounted: boolean },
): Promise<string[]> {
  const opened = await runtime();
  const summary = await opened.sessions.summary(session);
  const { columns, style } = environment.stdout;
  const place = [
    summary.cwd === undefined ? "" : displayPath(summary.cwd, environment.userHome),
    summary.gitBranch,
  ];
  const spent = isCounted ? await spending(opened, session) : [];
  const lines = [place.filter(Boolean).join(" on "), spent.join(", "), timeOf(summary)];
  return [
    style.bold(cutEnd(terminalLine(titleOf(summary)), Math.min(columns, TITLE_COLUMNS))),
    ...[session.sessionId, ...lines]
      .filter(Boolean)
      .flatMap((line) => wrapText(terminalLine(line), columns))
      .map(style.dim),
    "",
  ];
}

async function spending(runtime: Runtime, session: SessionRef): Promise<string[]> {
  const agents = await runtime.sessions.agents(session);
  const { rows, totals } = await runtime.costOf([session.path, ...agents.flatMap(({ path }) => path ?? [])]);
  const models = rows.map(({ key }) => key);
  return totals.costUsd === null ? models : [...models, formatDollars(totals.costUsd)];
}
