import path from "node:path";
import { envelopeOf, type Conversation } from "./conversation.ts";
import type { Tokens } from "./truth.ts";

const MODELS = ["claude-sonnet-4-5-20250929", "claude-opus-4-1-20250805", "claude-haiku-4-5-20251001"];
const TOOLS = ["Bash", "Read", "Edit", "Grep", "Write", "Glob"];
/** One tool result in this many is about a megabyte. */
const HUGE_RESULT_EVERY = 1000;

type BlockKind = "thinking" | "text" | "tool";
interface ToolCall {
  readonly id: string;
  readonly agentId: string | undefined;
  readonly blockUuid: string;
}

/** One API message, split over a line for each block, and the results of its tool calls. */
export function writeAssistantMessage(conversation: Conversation, { isLast }: { isLast: boolean }): void {
  const { random, tally } = conversation;
  const message = {
    messageId: `msg_01${random.base58(22)}`,
    requestId: `req_011C${random.base58(20)}`,
    model: random.pick(MODELS),
  };
  const tokens = drawTokens(conversation);
  tally.uniqueMessage(tokens);

  const kinds = drawBlocks(conversation, { isLast });
  // Half of the parallel calls finish before the next block arrives, so their results stand between the blocks.
  const isInterleaved = random.chance(0.5);
  const waiting: ToolCall[] = [];
  const step: string[] = [];
  let blockParent = conversation.parentUuid;
  kinds.forEach((kind, blockIndex) => {
    conversation.parentUuid = blockParent;
    const envelope = envelopeOf(conversation);
    const isFinalBlock = blockIndex === kinds.length - 1;
    const call = kind === "tool" ? drawCall(conversation, envelope.uuid) : undefined;
    const line = conversation.layout.assistant(envelope, {
      ...message,
      blockIndex,
      block: call === undefined ? speech(conversation, kind) : toolUse(conversation, call),
      stopReason: isFinalBlock ? (isLast ? "end_turn" : "tool_use") : null,
      // Only the last line of a split message carries the true output count.
      usage: isFinalBlock ? tokens : { ...tokens, output: 1 + random.below(8) },
    });
    conversation.writeMessage(envelope, line);
    step.push(envelope.uuid);
    blockParent = envelope.uuid;
    if (call === undefined) return;
    if (isInterleaved) writeResult(conversation, call);
    else waiting.push(call);
  });
  for (const call of waiting) writeResult(conversation, call);

  const calls = kinds.filter((kind) => kind === "tool").length;
  conversation.lastStep = calls === 1 ? [...step, conversation.lastMessageUuid] : [];
}

function drawTokens({ random }: Conversation): Tokens {
  return {
    input: 1 + random.below(12),
    output: 20 + random.below(1500),
    cacheCreation: random.below(4000),
    cacheRead: 10_000 + random.below(140_000),
  };
}

function drawBlocks({ random }: Conversation, { isLast }: { isLast: boolean }): BlockKind[] {
  const kinds: BlockKind[] = [];
  if (random.chance(0.25)) kinds.push("thinking");
  if (isLast || random.chance(0.6)) kinds.push("text");
  if (isLast) return kinds;
  const calls = random.chance(0.85) ? 1 : 2 + random.below(3);
  return [...kinds, ...Array.from({ length: calls }, () => "tool" as const)];
}

function drawCall(conversation: Conversation, blockUuid: string): ToolCall {
  const { random, layout } = conversation;
  const id = `toolu_01${random.base58(22)}`;
  if (conversation.agentsLeft === 0 || !random.chance(0.3)) return { id, agentId: undefined, blockUuid };
  conversation.agentsLeft -= 1;
  return { id, agentId: layout.isLate ? `a${random.hex(16)}` : random.hex(8), blockUuid };
}

function speech(conversation: Conversation, kind: BlockKind): string {
  const { random, prose } = conversation;
  const text = prose.jsonText(conversation.drawBodyLength());
  return kind === "thinking"
    ? `{"type":"thinking","thinking":"${text}","signature":"${random.base58(340)}"}`
    : `{"type":"text","text":"${text}"}`;
}

function toolUse(conversation: Conversation, { id, agentId }: ToolCall): string {
  const { random, prose, layout } = conversation;
  if (agentId !== undefined) {
    const name = layout.isLate ? "Agent" : "Task";
    return `{"type":"tool_use","id":"${id}","name":"${name}","input":{"description":"${prose.words(4)}","prompt":"${prose.jsonText(600)}","subagent_type":"Explore"}}`;
  }
  const command = prose.jsonText(conversation.drawBodyLength() / 2);
  return `{"type":"tool_use","id":"${id}","name":"${random.pick(TOOLS)}","input":{"command":"${command}","description":"${prose.words(6)}"}}`;
}

// A result hangs on the line of its own call, so parallel calls make branches that are no rewinds.
function writeResult(conversation: Conversation, call: ToolCall): void {
  const { random, prose, layout, promptId } = conversation;
  if (call.agentId !== undefined) launchAgent(conversation, call.agentId);
  const length =
    random.below(HUGE_RESULT_EVERY) === 0 ? 700_000 + random.below(700_000) : conversation.drawBodyLength();
  // The client stores a tool's output twice: for the model, and as the structured result.
  const text = prose.jsonText(length / 2);
  const envelope = envelopeOf(conversation, { parentUuid: call.blockUuid });
  const result =
    call.agentId === undefined
      ? `{"stdout":"${text}","stderr":"","interrupted":false,"isImage":false}`
      : `{"status":"completed","agentId":"${call.agentId}","content":[{"type":"text","text":"${text}"}],"totalDurationMs":${random.below(90_000)},"totalTokens":${random.below(90_000)},"totalToolUseCount":${random.below(40)}}`;
  const line = layout.user(envelope, {
    promptId,
    content: `[{"tool_use_id":"${call.id}","type":"tool_result","content":"${text}","is_error":${random.chance(0.05)}}]`,
    after: `,"toolUseResult":${result},"sourceToolAssistantUUID":"${call.blockUuid}"`,
  });
  conversation.writeMessage(envelope, line);
}

function launchAgent({ plan, layout, nowMs, ...conversation }: Conversation, agentId: string): void {
  const projectDir = path.dirname(plan.file);
  const folder =
    layout.agentFolder === "flat" ? projectDir : path.join(projectDir, plan.sessionId, "subagents");
  conversation.launchAgent({
    ...plan,
    agentId,
    file: path.join(folder, `agent-${agentId}.jsonl`),
    layout: layout.isLate ? "new" : "old",
    bytes: plan.agentBytes,
    startedAtMs: nowMs,
    agents: 0,
    forkOf: undefined,
  });
}
