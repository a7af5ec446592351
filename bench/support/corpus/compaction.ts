import { envelopeOf, type Conversation } from "./conversation.ts";

/** A compaction boundary and its summary; the context starts anew, and so may the client's version. */
export function writeCompaction(conversation: Conversation): void {
  const { random, prose, pen } = conversation;
  conversation.layout = conversation.drawLayout();
  const { layout } = conversation;
  const before = conversation.parentUuid!;
  const boundary = envelopeOf(conversation);
  const summary = envelopeOf(conversation, { parentUuid: boundary.uuid });
  const metadata = `"trigger":"auto","preTokens":${150_000 + random.below(20_000)}${preserved(conversation, summary.uuid)}`;
  const node = {
    ...boundary,
    parentUuid: null,
    // In a third of the older files the logical parent was never written.
    logicalParentUuid: !layout.isLate && random.chance(1 / 3) ? random.uuid() : before,
  };
  conversation.writeNode(
    node,
    layout.system(node, {
      before: `"type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false`,
      after: `,"level":"info","compactMetadata":{${metadata}}`,
    }),
  );
  conversation.writeMessage(
    summary,
    layout.user(summary, {
      content: `"This session is being continued from a previous conversation. ${prose.jsonText(8000)}"`,
      promptId: conversation.promptId,
      after: `,"isVisibleInTranscriptOnly":true,"isCompactSummary":true`,
    }),
  );
  conversation.promptParents = [];
  conversation.lastStep = [];
  conversation.bytesAtCompaction = pen.bytes;
  conversation.compactions += 1;
}

// Late clients keep the newest messages: they stay before the boundary in the file but belong behind the summary.
function preserved({ random, layout, lastStep }: Conversation, anchorUuid: string): string {
  if (!layout.isLate || lastStep.length === 0 || !random.chance(0.25)) return "";
  const uuids = JSON.stringify(lastStep);
  const segment = `"headUuid":"${lastStep[0]}","anchorUuid":"${anchorUuid}","tailUuid":"${lastStep.at(-1)}"`;
  return `,"preservedSegment":{${segment}},"preservedMessages":{"anchorUuid":"${anchorUuid}","uuids":${uuids},"allUuids":${uuids}}`;
}
