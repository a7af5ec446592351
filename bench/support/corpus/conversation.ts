import { NEW_LAYOUT, OLD_LAYOUT, type Envelope, type KeyLayout } from "./key-layouts.ts";
import type { Prose } from "./prose.ts";
import type { Random } from "./random.ts";
import type { Tally } from "./tally.ts";
import { openTranscriptPen, type TranscriptPen } from "./transcript-pen.ts";

export type LayoutChoice = "old" | "new" | "mixed";

export interface TranscriptPlan {
  readonly configDir: string;
  readonly file: string;
  readonly sessionId: string;
  readonly agentId?: string;
  readonly cwd: string;
  readonly gitBranch: string;
  readonly layout: LayoutChoice;
  readonly lineBytesMax?: number | undefined;
  readonly bytes: number;
  readonly startedAtMs: number;
  /** How many sub-agents this session launches, at most, and how large each one's transcript gets. */
  readonly agents: number;
  readonly agentBytes: number;
  /** What this session copies when it is a fork. */
  readonly forkOf?: Opening | undefined;
}

/** The first nodes of a session, for another one that forks off behind them. */
export interface Opening {
  readonly sessionId: string;
  readonly lines: string[];
  leafUuid: string;
}

/** The state of one transcript that is being written: where the chain stands and what the clock says. */
export interface Conversation {
  readonly plan: TranscriptPlan;
  readonly random: Random;
  readonly prose: Prose;
  readonly tally: Tally;
  readonly pen: TranscriptPen;
  readonly opening: Opening;
  /** What an edited prompt may hang on: the parents of this context's prompts. */
  promptParents: string[];
  layout: KeyLayout;
  parentUuid: string | null;
  lastMessageUuid: string;
  promptId: string;
  nowMs: number;
  messages: number;
  compactions: number;
  bytesAtCompaction: number;
  agentsLeft: number;
  /** The last message and its result, when they are one unbranched chain that a compaction could preserve. */
  lastStep: readonly string[];
  /** Writes a node and makes it the end of the chain. */
  writeNode(envelope: Envelope, line: string): void;
  /** The same for a user or assistant line. */
  writeMessage(envelope: Envelope, line: string): void;
  drawBodyLength(): number;
  drawLayout(): KeyLayout;
  launchAgent(plan: TranscriptPlan): void;
}

// A log-normal. Together with the short lines and the halved tool inputs, the lines of a transcript come to a
// median of 1.5 KB and a 99th percentile of 60 KB, of which the envelope is about 0.7 KB.
const DRAWN_BYTES_MEDIAN = 1500;
const DRAWN_BYTES_P99 = 80_000;
const DRAWN_BYTES_MAX = 400_000;
const SIGMA = Math.log(DRAWN_BYTES_P99 / DRAWN_BYTES_MEDIAN) / 2.326;
const ENVELOPE_BYTES = 700;
const OPENING_LINES_MAX = 40;

export function openConversation(
  plan: TranscriptPlan,
  tools: { random: Random; prose: Prose; tally: Tally; launchAgent(plan: TranscriptPlan): void },
): Conversation {
  const { random, prose, tally } = tools;
  const pen = openTranscriptPen({ file: plan.file, tally });
  const opening: Opening = { sessionId: plan.sessionId, lines: [], leafUuid: "" };
  const drawLayout = (): KeyLayout => {
    if (plan.layout === "mixed") return random.pick([OLD_LAYOUT, NEW_LAYOUT]);
    return plan.layout === "old" ? OLD_LAYOUT : NEW_LAYOUT;
  };
  const conversation: Conversation = {
    plan,
    ...tools,
    pen,
    opening,
    promptParents: [],
    layout: drawLayout(),
    parentUuid: null,
    lastMessageUuid: "",
    promptId: random.uuid(),
    nowMs: plan.startedAtMs,
    messages: 0,
    compactions: 0,
    bytesAtCompaction: 0,
    agentsLeft: plan.agents,
    lastStep: [],
    drawLayout,
    drawBodyLength() {
      const drawn = DRAWN_BYTES_MEDIAN * Math.exp(SIGMA * random.gauss());
      return Math.max(20, Math.min(drawn, plan.lineBytesMax ?? DRAWN_BYTES_MAX) - ENVELOPE_BYTES);
    },
    writeNode({ uuid }, line) {
      pen.write(line);
      conversation.parentUuid = uuid;
      if (opening.lines.length < OPENING_LINES_MAX) {
        opening.lines.push(line);
        opening.leafUuid = uuid;
      }
    },
    writeMessage(envelope, line) {
      conversation.writeNode(envelope, line);
      conversation.lastMessageUuid = envelope.uuid;
      conversation.messages += 1;
      tally.message();
    },
  };
  if (plan.forkOf !== undefined) copyOpening(conversation, plan.forkOf);
  else if (!conversation.layout.isLate && plan.agentId === undefined && random.chance(0.5)) {
    pen.write(`{"type":"summary","summary":"${prose.words(6)}","leafUuid":"${random.uuid()}"}`);
  }
  return conversation;
}

/** The next node's envelope: it hangs on the end of the chain unless another parent is given, a little later in time. */
export function envelopeOf(
  conversation: Conversation,
  { parentUuid }: { parentUuid?: string } = {},
): Envelope {
  const { plan, random } = conversation;
  conversation.nowMs += 300 + random.below(9000);
  return {
    parentUuid: parentUuid ?? conversation.parentUuid,
    uuid: random.uuid(),
    timestamp: new Date(conversation.nowMs).toISOString(),
    sessionId: plan.sessionId,
    cwd: plan.cwd,
    gitBranch: plan.gitBranch,
    agentId: plan.agentId,
  };
}

// A fork keeps uuids, message ids and times and rewrites only the session id. Its tokens were counted already.
function copyOpening(conversation: Conversation, { lines, sessionId, leafUuid }: Opening): void {
  for (const original of lines) {
    const line = original.replaceAll(sessionId, conversation.plan.sessionId);
    conversation.pen.write(line);
    conversation.opening.lines.push(line);
    if (/"type":"(?:user|assistant)",/.test(line)) {
      conversation.messages += 1;
      conversation.tally.message();
    }
  }
  conversation.parentUuid = leafUuid;
  conversation.opening.leafUuid = leafUuid;
}
