import path from "node:path";
import { writeAssistantMessage } from "./assistant-message.ts";
import { writeCompaction } from "./compaction.ts";
import {
  envelopeOf,
  openConversation,
  type Conversation,
  type Opening,
  type TranscriptPlan,
} from "./conversation.ts";
import type { Prose } from "./prose.ts";
import type { Random } from "./random.ts";
import type { Tally } from "./tally.ts";
import type { TranscriptTruth } from "./truth.ts";

export interface WrittenTranscript {
  readonly truth: TranscriptTruth;
  readonly opening: Opening;
  readonly agents: readonly TranscriptTruth[];
}

/** The client compacts when its context is full; with today's line lengths that is about every 6 MB. */
const COMPACT_EVERY_BYTES = 6_000_000;
const REWIND_CHANCE = 0.02;
const REWIND_PROMPTS_MAX = 5;

/** Writes one transcript, turn by turn, until it has the planned size. The last line of the graph is its leaf. */
export function writeTranscript(
  plan: TranscriptPlan,
  tools: { random: Random; prose: Prose; tally: Tally },
): WrittenTranscript {
  const agents: TranscriptTruth[] = [];
  const conversation = openConversation(plan, {
    ...tools,
    // An agent is written while its parent waits for it, as in life.
    launchAgent(agentPlan) {
      agents.push(writeTranscript(agentPlan, tools).truth);
    },
  });
  do writeTurn(conversation);
  while (conversation.pen.bytes < plan.bytes);
  conversation.pen.close(conversation.nowMs);
  return {
    opening: conversation.opening,
    agents,
    truth: {
      sessionId: plan.sessionId,
      agentId: plan.agentId,
      path: path.relative(plan.configDir, plan.file),
      cwd: plan.cwd,
      bytes: conversation.pen.bytes,
      lines: conversation.pen.lines,
      messages: conversation.messages,
      compactions: conversation.compactions,
      leafUuid: conversation.lastMessageUuid,
      updatedAt: new Date(conversation.nowMs).toISOString(),
    },
  };
}

function writeTurn(conversation: Conversation): void {
  const { random, pen, plan } = conversation;
  const startedAtMs = conversation.nowMs;
  // Old sub-agent files lack the prompt and open with an assistant line.
  const hasPrompt =
    plan.agentId === undefined || conversation.layout.isLate || conversation.parentUuid !== null;
  if (hasPrompt) writePrompt(conversation);
  const steps = 1 + random.below(12);
  for (let step = 1; step <= steps; step += 1) {
    writeAssistantMessage(conversation, { isLast: step === steps || pen.bytes >= plan.bytes });
    if (pen.bytes >= plan.bytes) break;
    if (plan.agentId === undefined && pen.bytes - conversation.bytesAtCompaction > COMPACT_EVERY_BYTES) {
      writeCompaction(conversation);
      return;
    }
  }
  writeTurnEnd(conversation, { durationMs: conversation.nowMs - startedAtMs });
}

function writePrompt(conversation: Conversation): void {
  const { random, prose, layout } = conversation;
  if (conversation.promptParents.length > 1 && random.chance(REWIND_CHANCE)) {
    // The user edits an earlier prompt: what followed it becomes a dead branch.
    conversation.parentUuid = random.pick(conversation.promptParents.slice(1).slice(-REWIND_PROMPTS_MAX));
  }
  if (conversation.parentUuid !== null) conversation.promptParents.push(conversation.parentUuid);
  conversation.promptId = random.uuid();
  const envelope = envelopeOf(conversation);
  if (random.chance(0.3)) writeSnapshot(conversation, envelope.uuid);
  const content = `"${prose.jsonText(Math.min(conversation.drawBodyLength(), 20_000))}"`;
  conversation.writeMessage(envelope, layout.user(envelope, { content, promptId: conversation.promptId }));
  if (layout.isLate && random.chance(0.4)) writeAttachment(conversation);
}

// Written before the prompt that it names, as the client does.
function writeSnapshot({ random, prose, pen, nowMs }: Conversation, promptUuid: string): void {
  const at = new Date(nowMs).toISOString();
  const backup = `"backupFileName":"${random.hex(16)}@v${1 + random.below(9)}","version":1,"backupTime":"${at}"`;
  pen.write(
    `{"type":"file-history-snapshot","messageId":"${promptUuid}","snapshot":{"messageId":"${promptUuid}","trackedFileBackups":{"src/${prose.words(1)}.ts":{${backup}}},"timestamp":"${at}"},"isSnapshotUpdate":false}`,
  );
}

function writeAttachment(conversation: Conversation): void {
  const { layout, prose } = conversation;
  const envelope = envelopeOf(conversation);
  const attachment = `{"type":"todo_reminder","content":"${prose.words(30)}","itemCount":0}`;
  conversation.writeNode(envelope, layout.attachment(envelope, attachment));
}

function writeTurnEnd(conversation: Conversation, { durationMs }: { durationMs: number }): void {
  const { layout, random, prose, pen, plan } = conversation;
  if (!layout.isLate || plan.agentId !== undefined) return;
  const envelope = envelopeOf(conversation);
  const before = `"type":"system","subtype":"turn_duration","durationMs":${durationMs},"messageCount":${conversation.messages}`;
  conversation.writeNode(envelope, layout.system(envelope, { before, after: ',"isMeta":false' }));
  if (!random.chance(0.3)) return;
  const session = `"sessionId":"${plan.sessionId}"`;
  pen.write(
    `{"type":"last-prompt","lastPrompt":"${prose.words(8)}","leafUuid":"${envelope.uuid}",${session}}`,
  );
  pen.write(`{"type":"ai-title","aiTitle":"${prose.words(5)}",${session}}`);
  pen.write(`{"type":"permission-mode","permissionMode":"default",${session}}`);
}
