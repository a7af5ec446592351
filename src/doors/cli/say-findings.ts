import { rejectionText } from "../../conversation/rejection-text.ts";
import { terminalLine } from "../../lib/terminal-text.ts";
import type { ConversationGap } from "../../store/read/conversation.ts";
import type { Rejection } from "../../store/line/rejection.ts";
import type { CommandContext } from "./command.ts";
import { formatCount, plural } from "../../lib/quantities.ts";

export interface Findings {
  rejections: readonly Rejection[];
  gaps?: readonly ConversationGap[];
  messagesElsewhere?: number | undefined;
}

const LISTED_MAX = 5;

/** Says what is in a transcript but not in what was printed: broken lines, bridged gaps, other branches. */
export function sayFindings(
  { say }: CommandContext,
  { rejections, gaps = [], messagesElsewhere = 0 }: Findings,
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
  if (messagesElsewhere > 0) {
    say(
      `holdfast: ${plural(messagesElsewhere, "message")} on other branches; --leaf <uuid> shows one, --raw every line`,
    );
  }
}
