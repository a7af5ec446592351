import type { LineSkimmer, Range } from "../store/skim-line.ts";
import { MessageFlag } from "./message-table.ts";

/** What a line says of its message, however it was found. Ranges without a beginning stand for what it does not say. */
export interface AnswerFacts {
  messageId: Range;
  requestId: Range;
  uuid: Range;
  timestamp: Range;
  model: Range;
  counts: Float64Array;
  flags: number;
  contentBytes: number;
}

/** The facts of the line that was skimmed last. */
export function factsOf(skimmer: LineSkimmer, counts: Float64Array): AnswerFacts {
  const { messageId, requestId, uuid, timestamp, model, contentBytes } = skimmer;
  return { messageId, requestId, uuid, timestamp, model, counts, flags: flagsOf(skimmer), contentBytes };
}

export function flagsOf({ stopReason, isSidechain }: LineSkimmer): number {
  return (stopReason.start < 0 ? 0 : MessageFlag.stopped) | (isSidechain ? MessageFlag.sidechain : 0);
}
