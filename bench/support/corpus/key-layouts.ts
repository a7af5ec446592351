import type { Tokens } from "./truth.ts";

/** What every node of the graph carries, whatever its type. */
export interface Envelope {
  readonly parentUuid: string | null;
  readonly logicalParentUuid?: string | undefined;
  readonly uuid: string;
  readonly timestamp: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly gitBranch: string;
  readonly agentId?: string | undefined;
}

export interface AssistantBlock {
  readonly messageId: string;
  readonly requestId: string;
  readonly model: string;
  readonly blockIndex: number;
  /** The content block, as JSON. */
  readonly block: string;
  readonly stopReason: "tool_use" | "end_turn" | null;
  readonly usage: Tokens;
}

/**
 * The order in which a client version writes the keys of a line. Readers learn these orders to find keys
 * without parsing, so the corpus has the two that differ most. Text arguments are JSON already.
 */
export interface KeyLayout {
  readonly version: string;
  /** Whether this era writes attachment nodes and the re-appended title and mode lines. */
  readonly isLate: boolean;
  /** Where this era keeps a sub-agent's transcript. */
  readonly agentFolder: "flat" | "nested";
  user(envelope: Envelope, body: { content: string; promptId: string; after?: string }): string;
  assistant(envelope: Envelope, block: AssistantBlock): string;
  /** `before` stands before the time and the uuid, `after` behind them. */
  system(envelope: Envelope, body: { before: string; after?: string }): string;
  /** Late clients only. */
  attachment(envelope: Envelope, attachment: string): string;
}

/** 2.0.x: the envelope first, the model first within a message. */
export const OLD_LAYOUT: KeyLayout = {
  version: "2.0.55",
  isLate: false,
  agentFolder: "flat",
  user: (envelope, { content, after = "" }) =>
    `{${head(envelope)},${oldEnvelope(envelope)},"type":"user","message":{"role":"user","content":${content}},${stamp(envelope)}${after}}`,
  assistant: (envelope, block) =>
    `{${head(envelope)},${oldEnvelope(envelope)},"message":{"model":"${block.model}","id":"${block.messageId}","type":"message","role":"assistant","content":[${block.block}],${stop(block)},"usage":{${inputUsage(block.usage)},"cache_creation":{"ephemeral_5m_input_tokens":${block.usage.cacheCreation},"ephemeral_1h_input_tokens":0},"output_tokens":${block.usage.output},"service_tier":"standard"}},"requestId":"${block.requestId}","type":"assistant",${stamp(envelope)}}`,
  system: (envelope, { before, after = "" }) =>
    `{${head(envelope)},${oldEnvelope(envelope)},${before},${systemStamp(envelope)}${after}}`,
  attachment() {
    throw new Error("Cannot write an attachment: clients of this era had none");
  },
};

/** 2.1.3xx: the message right behind the parent, its id first, and the envelope last. */
export const NEW_LAYOUT: KeyLayout = {
  version: "2.1.325",
  isLate: true,
  agentFolder: "nested",
  user: (envelope, { content, promptId, after = "" }) =>
    `{${newHead(envelope)},"promptId":"${promptId}","type":"user","message":{"role":"user","content":${content}},${stamp(envelope)}${after},${newEnvelope(envelope)}}`,
  assistant: (envelope, block) =>
    `{${newHead(envelope)},"message":{"id":"${block.messageId}","type":"message","role":"assistant","model":"${block.model}","content":[${block.block}],${stop(block)},"usage":{${inputUsage(block.usage)},"output_tokens":${block.usage.output},"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":${block.usage.cacheCreation}},"iterations":[{"input_tokens":${block.usage.input},"output_tokens":${block.usage.output},"type":"message"}],"speed":"standard"},"stop_details":null},"apiBlockIndex":${block.blockIndex},"requestId":"${block.requestId}","type":"assistant",${stamp(envelope)},"effort":"medium",${newEnvelope(envelope)}}`,
  system: (envelope, { before, after = "" }) =>
    `{${newHead(envelope)},${before},${systemStamp(envelope)}${after},${newEnvelope(envelope)}}`,
  attachment: (envelope, attachment) =>
    `{${newHead(envelope)},"attachment":${attachment},"type":"attachment",${stamp(envelope)},${newEnvelope(envelope)}}`,
};

function head({ parentUuid, logicalParentUuid, agentId }: Envelope): string {
  const parent = parentUuid === null ? "null" : `"${parentUuid}"`;
  const logical = logicalParentUuid === undefined ? "" : `,"logicalParentUuid":"${logicalParentUuid}"`;
  return `"parentUuid":${parent}${logical},"isSidechain":${agentId !== undefined}`;
}

function newHead(envelope: Envelope): string {
  return envelope.agentId === undefined
    ? head(envelope)
    : `${head(envelope)},"agentId":"${envelope.agentId}"`;
}

function oldEnvelope({ cwd, sessionId, gitBranch, agentId }: Envelope): string {
  const agent = agentId === undefined ? "" : `,"agentId":"${agentId}"`;
  return `"userType":"external","cwd":"${cwd}","sessionId":"${sessionId}","version":"${OLD_LAYOUT.version}","gitBranch":"${gitBranch}"${agent}`;
}

function newEnvelope({ cwd, sessionId, gitBranch }: Envelope): string {
  return `"userType":"external","entrypoint":"cli","cwd":"${cwd}","sessionId":"${sessionId}","version":"${NEW_LAYOUT.version}","gitBranch":"${gitBranch}"`;
}

function stamp({ uuid, timestamp }: Envelope): string {
  return `"uuid":"${uuid}","timestamp":"${timestamp}"`;
}

function systemStamp({ uuid, timestamp }: Envelope): string {
  return `"timestamp":"${timestamp}","uuid":"${uuid}"`;
}

function stop({ stopReason }: AssistantBlock): string {
  return `"stop_reason":${stopReason === null ? "null" : `"${stopReason}"`},"stop_sequence":null`;
}

function inputUsage({ input, cacheCreation, cacheRead }: Tokens): string {
  return `"input_tokens":${input},"cache_creation_input_tokens":${cacheCreation},"cache_read_input_tokens":${cacheRead}`;
}
