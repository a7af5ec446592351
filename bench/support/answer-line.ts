/** An answer of a model, as the client appends it to a transcript. */
export interface Answer {
  readonly sessionId: string;
  readonly cwd: string;
  /** Tells it from others of its session. */
  readonly number: number;
  readonly text: string;
  readonly parentUuid?: string | null;
}

export function answerLine({ sessionId, cwd, number, text, parentUuid = null }: Answer): string {
  return JSON.stringify({
    parentUuid,
    isSidechain: false,
    userType: "external",
    cwd,
    sessionId,
    version: "2.1.300",
    gitBranch: "main",
    type: "assistant",
    uuid: answerUuid(number),
    timestamp: new Date().toISOString(),
    requestId: `req_${number}`,
    message: {
      id: `msg_grown_${number}`,
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-5-20250929",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      usage: {
        input_tokens: 3,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 7,
      },
    },
  });
}

export function answerUuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
