import { elsewhereTexts, type ElsewhereText } from "../../conversation/elsewhere-text.ts";
import { rejectionText } from "../../conversation/rejection-text.ts";
import { terminalLine } from "../../lib/terminal-text.ts";
import type { ConversationGap } from "../../store/read/conversation.ts";
import type { Elsewhere } from "../../store/read/elsewhere.ts";
import type { Rejection } from "../../store/line/rejection.ts";
import type { CommandContext } from "./command.ts";
import { formatCount, plural } from "../../lib/quantities.ts";

export interface Findings {
  rejections: readonly Rejection[];
  gaps?: readonly ConversationGap[];
  elsewhere?: Elsewhere | undefined;
  /** The command that shows the session, where another one says this: its options are named with it. */
  shownBy?: string;
}

const LISTED_MAX = 5;

/** Says what is in a transcript but not in what was printed, and how to see it. */
export function sayFindings(
  { say }: CommandContext,
  { rejections, gaps = [], elsewhere, shownBy }: Findings,
): void {
  if (rejections.length > 0) {
    say(
      `holdfast: ${plural(rejections.length, "line")} of the transcript ${rejections.length === 1 ? "is not an entry and is" : "are not entries and are"} left out:`,
    );
    for (const rejection of rejections.slice(0, LISTED_MAX)) say(`  ${rejectionText(rejection)}`);
    if (rejections.length > LISTED_MAX) say(`  and ${formatCount(rejections.length - LISTED_MAX)} more`);
  }
  if (gaps.length > 0) {
    const [first] = gaps;
    const where =
      first?.uuid === undefined ? `byte ${formatCount(first?.offset ?? 0)}` : terminalLine(first.uuid);
    const are = plural(gaps.length, "message has", "messages have");
    say(
      `holdfast: ${are} a missing parent; continued from the message before, the first time at ${where} (${first?.reason})`,
    );
  }
  if (!elsewhere) return;
  const inAgents = elsewhere.rejected - rejections.length;
  if (inAgents > 0)
    say(
      `holdfast: ${plural(inAgents, "line")} of its agents' transcripts, no entries, left out: holdfast show AGENT`,
    );
  for (const { kind, text } of elsewhereTexts(elsewhere))
    say(`holdfast: ${text}: ${terminalLine(howToSee(kind, elsewhere, shownBy))}`);
}

function howToSee(
  kind: ElsewhereText["kind"],
  { leaves: [leaf], helpers }: Elsewhere,
  shownBy: string | undefined,
): string {
  if (kind === "helpers") return `holdfast show ${helpers[0]}`;
  const option = kind === "branches" && leaf !== undefined ? `--leaf ${leaf.slice(0, 8)}` : "--raw";
  if (shownBy !== undefined) return `${shownBy} ${option}`;
  return option === "--raw" ? "--raw shows every line" : `${option} shows one, --raw every line`;
}
