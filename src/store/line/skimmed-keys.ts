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
const KEY = {
  type: key("type"),
  subtype: key("subtype"),
  uuid: key("uuid"),
  parentUuid: key("parentUuid"),
  logicalParentUuid: key("logicalParentUuid"),
  sessionId: key("sessionId"),
  timestamp: key("timestamp"),
  cwd: key("cwd"),
  gitBranch: key("gitBranch"),
  requestId: key("requestId"),
  isSidechain: key("isSidechain"),
  isCompactSummary: key("isCompactSummary"),
  isMeta: key("isMeta"),
  message: key("message"),
  compactMetadata: key("compactMetadata"),
  id: key("id"),
  model: key("model"),
  usage: key("usage"),
  content: key("content"),
  stopReason: key("stop_reason"),
  signature: key("signature"),
  toolUseId: key("tool_use_id"),
  preservedSegment: key("preservedSegment"),
  preservedMessages: key("preservedMessages"),
};
const TOOL_USE = key("tool_use");
const TOOL_RESULT = key("tool_result");

// Keys are told apart by length first, so that most of them cost one comparison.
export const topLevelKey: MemberHandler = (skimmer, start, end, value) => {
  switch (end - start) {
    case 3:
      if (skimmer.keyIs(start, end, KEY.cwd)) return skimmer.note(value, skimmer.cwd);
      break;
    case 4:
      if (skimmer.keyIs(start, end, KEY.type)) return skimmer.noteType(value);
      if (skimmer.keyIs(start, end, KEY.uuid)) return skimmer.note(value, skimmer.uuid);
      break;
    case 6:
      if (skimmer.keyIs(start, end, KEY.isMeta)) skimmer.isMeta = skimmer.isTrue(value);
      break;
    case 7:
      if (skimmer.keyIs(start, end, KEY.message)) return skimmer.enterMessage(value);
      if (skimmer.keyIs(start, end, KEY.subtype)) return skimmer.note(value, skimmer.subtype);
      break;
    case 9:
      if (skimmer.keyIs(start, end, KEY.timestamp)) return skimmer.note(value, skimmer.timestamp);
      if (skimmer.keyIs(start, end, KEY.sessionId)) return skimmer.note(value, skimmer.sessionId);
      if (skimmer.keyIs(start, end, KEY.gitBranch)) return skimmer.note(value, skimmer.gitBranch);
      if (skimmer.keyIs(start, end, KEY.requestId)) return skimmer.note(value, skimmer.requestId);
      break;
    case 10:
      if (skimmer.keyIs(start, end, KEY.parentUuid)) return skimmer.note(value, skimmer.parentUuid);
      break;
    case 11:
      if (skimmer.keyIs(start, end, KEY.isSidechain)) skimmer.isSidechain = skimmer.isTrue(value);
      break;
    case 15:
      if (skimmer.keyIs(start, end, KEY.compactMetadata)) return skimmer.enterCompactMetadata(value);
      break;
    case 16:
      if (skimmer.keyIs(start, end, KEY.isCompactSummary)) skimmer.isCompactSummary = skimmer.isTrue(value);
      break;
    case 17:
      if (skimmer.keyIs(start, end, KEY.logicalParentUuid))
        return skimmer.note(value, skimmer.logicalParentUuid);
      break;
    default:
  }
  return skimmer.skip(value);
};

export const messageKey: MemberHandler = (skimmer, start, end, value) => {
  switch (end - start) {
    case 2:
      if (skimmer.keyIs(start, end, KEY.id)) return skimmer.note(value, skimmer.messageId);
      break;
    case 5:
      if (skimmer.keyIs(start, end, KEY.model)) return skimmer.note(value, skimmer.model);
      if (skimmer.keyIs(start, end, KEY.usage)) return skimmer.noteObject(value, skimmer.usage);
      break;
    case 7:
      if (skimmer.keyIs(start, end, KEY.content)) return skimmer.enterContent(value);
      break;
    case 11:
      if (skimmer.keyIs(start, end, KEY.stopReason)) return skimmer.note(value, skimmer.stopReason);
      break;
    default:
  }
  return skimmer.skip(value);
};

// The block under the skimmer's hand; one at a time, so one record serves all.
export const block = {
  isToolUse: false,
  isToolResult: false,
  id: { start: -1, end: -1 },
  toolUseId: { start: -1, end: -1 },
  signature: { start: -1, end: -1 },
};

export const blockKey: MemberHandler = (skimmer, start, end, value) => {
  if (skimmer.keyIs(start, end, KEY.type)) {
    const next = skimmer.skip(value);
    block.isToolUse = skimmer.keyIs(value + 1, next - 1, TOOL_USE);
    block.isToolResult = skimmer.keyIs(value + 1, next - 1, TOOL_RESULT);
    return next;
  }
  if (skimmer.keyIs(start, end, KEY.id)) return skimmer.note(value, block.id);
  if (skimmer.keyIs(start, end, KEY.toolUseId)) return skimmer.note(value, block.toolUseId);
  if (skimmer.keyIs(start, end, KEY.signature)) return skimmer.note(value, block.signature);
  return skimmer.skip(value);
};

export const compactMetadataKey: MemberHandler = (skimmer, start, end, value) => {
  if (skimmer.keyIs(start, end, KEY.preservedSegment) || skimmer.keyIs(start, end, KEY.preservedMessages)) {
    skimmer.hasPreserved = true;
  }
  return skimmer.skip(value);
};
