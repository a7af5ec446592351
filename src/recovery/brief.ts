import { briefItemsMax, briefLengthMax } from "./limits.ts";
import { modelLine } from "../format/model-text.ts";
import { beginningOf } from "../lib/whole-characters.ts";
import { BriefRoom } from "./brief-room.ts";
import { ID_LENGTH_MAX, type BriefOptions } from "./item-lines.ts";
import type { DuplicateWork, Recovery } from "./recovery.ts";
import { isOwnWork, type RecoveredItem } from "./recovered-item.ts";

export interface Brief {
  text: string;
  /** The endings that the text tells, which the reader has then seen. */
  told: RecoveredItem[];
}

/**
 * What an agent is told: facts, no commands, below the client's limit for context, and never twice the same text (the
 * client drops a repetition, so it begins with the time). Every ending first has its line; what is known besides, and what
 * it printed, follows as far as there is room. Undefined when there is nothing to say.
 */
export function buildBrief(recovery: Recovery, options: BriefOptions): Brief | undefined {
  const { listedBy } = options;
  const { running, finishedUnseen, lost, seen } = recovery;
  if (running.length + finishedUnseen.length + lost.length + seen.length === 0) return undefined;
  const room = new BriefRoom(briefLengthMax - ROOM_FOR_COUNTS);
  const parts = [
    room.part("Finished, not reported yet", finishedUnseen, { options, itemsMax: Infinity }),
    room.part("Ended without a record of how", lost, { options, itemsMax: Infinity }),
    room.part("Running now", running, { options, itemsMax: briefItemsMax, isNews: false }),
    room.part("Finished and reported before in this session", seen, {
      options,
      itemsMax: briefItemsMax,
      isNews: false,
    }),
  ].filter((part) => part !== undefined);
  room.fill();
  const lines = [
    `Holdfast, ${options.now.toISOString()}: state of background work in this project, from its records and from the processes and files themselves.`,
    ...parts.flatMap((part) => part.lines()),
    ...(room.isShort && listedBy !== undefined
      ? [
          `\nWhere the output of each of these is, and how it ends, is listed by: ${listedBy} --told${forSession(options)}`,
        ]
      : []),
    ...(recovery.duplicates.length > 0 ? [`\n${duplicateText(recovery.duplicates)}`] : []),
    ...(isDoubtedByClient(recovery, options.sessionId) ? [CLIENT_NOTICE] : []),
  ];
  return { text: beginningOf(lines.join("\n"), briefLengthMax), told: parts.flatMap((part) => part.told) };
}

function forSession({ sessionId }: BriefOptions): string {
  return sessionId === undefined ? "" : ` --session ${modelLine(sessionId, ID_LENGTH_MAX)}`;
}

// Of work that no process of this session's client runs, a client that is resumed says that it did not finish.
function isDoubtedByClient(
  { running, finishedUnseen, lost }: Recovery,
  sessionId: string | undefined,
): boolean {
  return [...running, ...finishedUnseen, ...lost].some(
    (item) =>
      item.owner === "client" &&
      item.kind !== "session" &&
      (item.isLeftToClient !== true || !isOwnWork(item, sessionId) || item.isCopied === true),
  );
}

// For the headings, the lines that count what was left out, and those at the end.
const ROOM_FOR_COUNTS = 1200;
const CLIENT_NOTICE =
  '\nA notice of the client that such work "didn\'t finish before the previous session ended" was made without looking at its processes and files; the above was made by looking.';

function duplicateText(duplicates: readonly DuplicateWork[]): string {
  const named = duplicates.slice(0, 3).map(({ ids }) =>
    ids
      .slice(0, 5)
      .map((id) => modelLine(id, ID_LENGTH_MAX))
      .join(" = "),
  );
  return `The same work more than once: ${named.join("; ")}`;
}
