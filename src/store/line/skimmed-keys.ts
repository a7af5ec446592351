export interface Range {
  start: number;
  end: number;
}

const nowhere = (): Range => ({ start: -1, end: -1 });

/** What is known of a line that was skimmed. */
export class Skim {
  /** Byte ranges of string values, without their quotes; start is -1 where the key is missing or not a string. */
  type: Range = nowhere();
  subtype: Range = nowhere();
  uuid: Range = nowhere();
  parentUuid: Range = nowhere();
  logicalParentUuid: Range = nowhere();
  sessionId: Range = nowhere();
  timestamp: Range = nowhere();
  cwd: Range = nowhere();
  gitBranch: Range = nowhere();
  messageId: Range = nowhere();
  requestId: Range = nowhere();
  model: Range = nowhere();
  /** `message.usage`, the whole object with its braces. */
  usage: Range = nowhere();
  stopReason: Range = nowhere();
  /** `message.content` where it is a string: without its quotes. */
  contentText: Range = nowhere();
  /** How much a message says: the bytes of its content array, without the signatures of its thinking. */
  contentBytes = 0;
  isSidechain = false;
  isCompactSummary = false;
  isMeta = false;
  /** Whether compactMetadata says that messages before the boundary live on after it. */
  hasPreserved = false;
  /** Whether a block of the content is neither the use of a tool nor the result of one. */
  hasOtherBlocks = false;
  /** Ids of tool_use blocks and of tool_result blocks, as start, end pairs. */
  toolUses: number[] = [];
  toolResults: number[] = [];
}

/** Who walks through a line. What it is given begins at `value`; it returns the place behind, or -1 where that is broken off. */
export interface Skimmer extends Skim {
  skip(value: number): number;
  note(value: number, into: Range): number;
  noteObject(value: number, into: Range): number;
  noteType(value: number): number;
  enterMessage(value: number): number;
  enterContent(value: number): number;
  enterCompactMetadata(value: number): number;
  isTrue(value: number): boolean;
  keyIs(start: number, end: number, name: Uint8Array): boolean;
}

/** What is done at a member of an object. */
export type MemberHandler = (skimmer: Skimmer, keyStart: number, keyEnd: number, value: number) => number;

export const key: (name: string) => Uint8Array = (name) => Buffer.from(name, "latin1");

type ValueHandler = (skimmer: Skimmer, value: number) => number;

// Keys are told apart by length first, so that most of them cost one comparison. All others are passed over.
function byKey(handlers: Record<string, ValueHandler>): MemberHandler {
  const ofLength: { name: Uint8Array; handle: ValueHandler }[][] = [];
  for (const [name, handle] of Object.entries(handlers))
    (ofLength[name.length] ??= []).push({ name: key(name), handle });
  return (skimmer, start, end, value) => {
    const candidates = ofLength[end - start];
    if (candidates)
      for (const { name, handle } of candidates)
        if (skimmer.keyIs(start, end, name)) return handle(skimmer, value);
    return skimmer.skip(value);
  };
}

export const topLevelKey: MemberHandler = byKey({
  cwd: (line, value) => line.note(value, line.cwd),
  type: (line, value) => line.noteType(value),
  uuid: (line, value) => line.note(value, line.uuid),
  isMeta: (line, value) => {
    line.isMeta = line.isTrue(value);
    return line.skip(value);
  },
  message: (line, value) => line.enterMessage(value),
  subtype: (line, value) => line.note(value, line.subtype),
  timestamp: (line, value) => line.note(value, line.timestamp),
  sessionId: (line, value) => line.note(value, line.sessionId),
  gitBranch: (line, value) => line.note(value, line.gitBranch),
  requestId: (line, value) => line.note(value, line.requestId),
  parentUuid: (line, value) => line.note(value, line.parentUuid),
  isSidechain: (line, value) => {
    line.isSidechain = line.isTrue(value);
    return line.skip(value);
  },
  compactMetadata: (line, value) => line.enterCompactMetadata(value),
  isCompactSummary: (line, value) => {
    line.isCompactSummary = line.isTrue(value);
    return line.skip(value);
  },
  logicalParentUuid: (line, value) => line.note(value, line.logicalParentUuid),
});

export const messageKey: MemberHandler = byKey({
  id: (line, value) => line.note(value, line.messageId),
  model: (line, value) => line.note(value, line.model),
  usage: (line, value) => line.noteObject(value, line.usage),
  content: (line, value) => line.enterContent(value),
  stop_reason: (line, value) => line.note(value, line.stopReason),
});

// The block under the skimmer's hand; one at a time, so one record serves all.
export const block = {
  isToolUse: false,
  isToolResult: false,
  id: { start: -1, end: -1 },
  toolUseId: { start: -1, end: -1 },
  signature: { start: -1, end: -1 },
};

const TOOL_USE = key("tool_use");
const TOOL_RESULT = key("tool_result");

export const blockKey: MemberHandler = byKey({
  type: (line, value) => {
    const next = line.skip(value);
    block.isToolUse = line.keyIs(value + 1, next - 1, TOOL_USE);
    block.isToolResult = line.keyIs(value + 1, next - 1, TOOL_RESULT);
    return next;
  },
  id: (line, value) => line.note(value, block.id),
  tool_use_id: (line, value) => line.note(value, block.toolUseId),
  signature: (line, value) => line.note(value, block.signature),
});

const notePreserved: ValueHandler = (line, value) => {
  line.hasPreserved = true;
  return line.skip(value);
};

export const compactMetadataKey: MemberHandler = byKey({
  preservedSegment: notePreserved,
  preservedMessages: notePreserved,
});
