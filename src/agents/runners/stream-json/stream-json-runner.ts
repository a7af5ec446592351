import { agentStopGraceMs } from "../limits.ts";
import { codeOf } from "../../../lib/errors.ts";
import type { Runner, RunnerEnd, RunnerEvent, RunnerMessage, RunnerRequest } from "../../../tasks/ports.ts";
import type { AgentCommand } from "../agent-process.ts";
import { claudeConversation } from "./claude-conversation.ts";
import type { ConversationStarter } from "./conversation.ts";
import { codexConversation, mappedConversation, type MappedCommand } from "./one-way-conversation.ts";
import { runProgram } from "./run-program.ts";

export interface StreamJsonRunnerOptions extends AgentCommand {
  /** Whose lines they are; for any other command, where in its lines is what. */
  dialect: "claude" | "codex" | MappedCommand;
  /** How long the program may take to end after it was told to. */
  graceMs?: number;
}

/**
 * A program that prints JSON, one object a line. Each turn is a run of its own, which goes on with the session of the
 * last one; a program that cannot is told the conversation again.
 * Throws `agent_not_started`, `agent_protocol` or `agent_failed` when it cannot go on.
 */
export function streamJsonRunner(options: StreamJsonRunnerOptions): Runner {
  const { dialect, graceMs = agentStopGraceMs, ...command } = options;
  const start = starterOf(dialect);
  return async function* run(request, signal) {
    let { messages, prompt, foreignSessionId } = request;
    for (;;) {
      const turn = { ...request, messages, prompt, ...(foreignSessionId && { foreignSessionId }) };
      const { end, session, heard } = yield* resumeOrBegin({ command, start, graceMs }, turn, signal);
      if (end.reason !== "done") return end;
      const said = await request.takeMessages();
      if (said.length === 0) return end;
      yield* said.map((text): RunnerEvent => ({ kind: "user", message: { role: "user", content: text } }));
      prompt = said.join("\n\n");
      messages = [...heard, { role: "user", content: prompt }];
      foreignSessionId = session ?? foreignSessionId;
    }
  };
}

interface Program {
  command: AgentCommand;
  start: ConversationStarter;
  graceMs: number;
}

interface Turn {
  end: RunnerEnd;
  session: string | undefined;
  /** The conversation, with what was said in this turn. */
  heard: RunnerMessage[];
}

// A session that the program no longer has ends it before it says a word; then it is told the conversation.
async function* resumeOrBegin(
  program: Program,
  request: RunnerRequest,
  signal: AbortSignal,
): AsyncGenerator<RunnerEvent, Turn> {
  const { foreignSessionId, ...anew } = request;
  const turn: Omit<Turn, "end"> = { session: undefined, heard: [...request.messages] };
  try {
    return { end: yield* listening(program, { request, turn, signal }), ...turn };
  } catch (error) {
    const wasSilent = turn.session === undefined && turn.heard.length === request.messages.length;
    if (foreignSessionId === undefined || !wasSilent || codeOf(error) !== "agent_failed") throw error;
    yield { kind: "activity", text: "Its earlier session is gone; it gets the conversation again as text" };
    return { end: yield* listening(program, { request: anew, turn, signal }), ...turn };
  }
}

async function* listening(
  { command, start, graceMs }: Program,
  { request, turn, signal }: { request: RunnerRequest; turn: Omit<Turn, "end">; signal: AbortSignal },
): AsyncGenerator<RunnerEvent, RunnerEnd> {
  signal.throwIfAborted();
  const conversation = await start(request, signal);
  const run = runProgram({ command, conversation, request, graceMs }, signal);
  for (;;) {
    const { value, done } = await run.next();
    if (done) return value;
    if (value.kind === "session") turn.session = value.foreignSessionId;
    if (value.kind === "assistant" || value.kind === "user") turn.heard.push(value.message);
    yield value;
  }
}

function starterOf(dialect: StreamJsonRunnerOptions["dialect"]): ConversationStarter {
  if (dialect === "claude") return claudeConversation;
  return dialect === "codex" ? codexConversation : mappedConversation(dialect);
}
