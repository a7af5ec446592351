/** What the generator knows to be so about what it wrote; benches check both sides against it. */
export interface CorpusTruth {
  readonly bytes: number;
  readonly lines: number;
  /** User and assistant lines, sub-agents' included. */
  readonly messages: number;
  /** API messages by unique id: a split message counts once, and so does a copy in a forked session. */
  readonly uniqueMessages: number;
  readonly tokens: Tokens;
  readonly lineBytes: {
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
    readonly max: number;
  };
  readonly compactions: number;
  readonly sessions: readonly TranscriptTruth[];
  readonly agents: readonly TranscriptTruth[];
}

export interface TranscriptTruth {
  readonly sessionId: string;
  readonly agentId?: string | undefined;
  /** Relative to the config folder. */
  readonly path: string;
  readonly cwd: string;
  readonly bytes: number;
  readonly lines: number;
  readonly messages: number;
  readonly compactions: number;
  /** The last message of the live conversation. */
  readonly leafUuid: string;
  /** The time of the last line, which is also the file's modification time. */
  readonly updatedAt: string;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
}
