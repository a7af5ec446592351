import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { configPaths, projectKey } from "../../src/format/paths.ts";

/** An entry as the builder makes it: what the tests look at is typed, the rest is whatever the client writes. */
export interface SampleEntry {
  type: string;
  uuid?: string;
  parentUuid?: string | null;
  message?: { role: string; id?: string; content: unknown };
  [key: string]: unknown;
}

export interface SampleBlock {
  type: string;
  [key: string]: unknown;
}

export interface SampleTool {
  name: string;
  input: Record<string, unknown>;
  /** Text that the model gets. */
  result: string;
  /** Object that the client keeps beside it. */
  toolUseResult?: Record<string, unknown>;
}

export interface TranscriptBuilderOptions {
  /** Ids are derived from it, so that the same calls make the same bytes. */
  seed?: string;
  cwd?: string;
  gitBranch?: string;
  version?: string;
  startedAt?: string;
  sessionId?: string;
  /** For a sub-agent's transcript: its id. Every entry is then a sidechain entry. */
  agentId?: string;
}

export interface WrittenSession {
  sessionId: string;
  projectKey: string;
  cwd: string;
  path: string;
}

/** Writes a transcript line by line in the form of a recent client (2.1.98). Each call returns what it added. */
export class TranscriptBuilder {
  readonly sessionId: string;
  readonly cwd: string;
  readonly entries: SampleEntry[] = [];
  readonly agents: TranscriptBuilder[] = [];
  readonly agentId: string | undefined;
  readonly #options: TranscriptBuilderOptions;
  #ids = 0;
  #leaf: string | null = null;
  #now: number;

  constructor(options: TranscriptBuilderOptions = {}) {
    this.#options = options;
    this.#now = Date.parse(options.startedAt ?? "2026-03-04T05:06:07.000Z");
    this.cwd = options.cwd ?? "/home/user/project";
    this.agentId = options.agentId;
    this.sessionId = options.sessionId ?? this.uuid();
  }

  /** The uuid that the next entry will hang on. */
  get leaf(): string | null {
    return this.#leaf;
  }

  /** Goes on from an earlier entry, as a rewind does. */
  continueFrom(uuid: string | null): this {
    this.#leaf = uuid;
    return this;
  }

  prompt(text: string, extra: Partial<SampleEntry> = {}): SampleEntry {
    return this.#node({ type: "user", message: { role: "user", content: text }, ...extra });
  }

  /** One API message: a line for each block, all with the same message id. */
  reply(...blocks: (string | SampleBlock)[]): SampleEntry[] {
    const id = `msg_${this.#token(24)}`;
    const requestId = `req_${this.#token(24)}`;
    return blocks.map((block, index) =>
      this.#assistantLine(id, requestId, { block, outputTokens: 10 * (index + 1) }),
    );
  }

  /** Tool calls in one message: every use hangs on the one before it, every result on its own use. */
  callTools(...tools: SampleTool[]): { uses: SampleEntry[]; results: SampleEntry[] } {
    const blocks = tools.map(({ name, input }) => ({
      type: "tool_use",
      id: `toolu_${this.#token(24)}`,
      name,
      input,
    }));
    const uses = this.reply(...blocks);
    const results = tools.map(({ result, toolUseResult }, index) => {
      const block = { tool_use_id: blocks[index]!.id, type: "tool_result", content: result };
      this.#leaf = uses[index]!.uuid!;
      return this.#node({
        type: "user",
        message: { role: "user", content: [block] },
        toolUseResult: toolUseResult ?? { stdout: result, stderr: "", interrupted: false, isImage: false },
        sourceToolAssistantUUID: uses[index]!.uuid,
      });
    });
    return { uses, results };
  }

  /** A compaction: the boundary and the summary behind it. What is preserved stays before them in the file. */
  compact(summary: string, { preserve = [] }: { preserve?: SampleEntry[] } = {}): SampleEntry[] {
    const logicalParentUuid = this.#leaf;
    this.#leaf = null;
    const summaryUuid = this.uuid();
    const uuids = preserve.map(({ uuid }) => uuid);
    const preservedMessages = { anchorUuid: summaryUuid, uuids, allUuids: uuids };
    const boundary = this.#node({
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      isMeta: false,
      level: "info",
      logicalParentUuid,
      compactMetadata: {
        trigger: "auto",
        preTokens: 150_000,
        ...(preserve.length > 0 ? { preservedMessages } : {}),
      },
    });
    const entry = this.prompt(summary, {
      uuid: summaryUuid,
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    });
    const last = preserve.at(-1);
    if (last) this.#leaf = last.uuid!;
    return [boundary, entry];
  }

  /** Launches a sub-agent, lets `talk` fill its own transcript, and notes its answer. */
  runAgent(
    prompt: string,
    talk: (agent: TranscriptBuilder) => void,
  ): { uses: SampleEntry[]; results: SampleEntry[] } {
    const agentId = `a${this.#token(16, "hex")}`;
    const startedAt = new Date(this.#now).toISOString();
    const agent = new TranscriptBuilder({
      ...this.#options,
      seed: agentId,
      agentId,
      sessionId: this.sessionId,
      startedAt,
    });
    agent.prompt(prompt);
    talk(agent);
    this.agents.push(agent);
    const result = `The agent has ended.\nagentId: ${agentId}`;
    return this.callTools({
      name: "Agent",
      input: { description: prompt.slice(0, 30), prompt, subagent_type: "Explore" },
      result,
      toolUseResult: {
        status: "completed",
        agentId,
        prompt,
        content: [{ type: "text", text: result }],
        totalToolUseCount: 1,
      },
    });
  }

  /** A node that only a client of the older kind writes beside a tool call. */
  progress(data: Record<string, unknown>): SampleEntry {
    const leaf = this.#leaf;
    const entry = this.#node({ type: "progress", data });
    this.#leaf = leaf;
    return entry;
  }

  system(subtype: string, extra: Partial<SampleEntry> = {}): SampleEntry {
    return this.#node({ type: "system", subtype, ...extra });
  }

  /** A line without a uuid, such as a title or a mode. */
  meta(type: string, extra: Record<string, unknown>): SampleEntry {
    return this.#add({ type, ...extra, sessionId: this.sessionId });
  }

  queue(operation: string, content?: string): SampleEntry {
    const timestamp = this.#tick();
    return this.meta("queue-operation", {
      operation,
      timestamp,
      ...(content === undefined ? {} : { content }),
    });
  }

  jsonl(): string {
    return this.entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
  }

  /** Puts the session, with its agents, where the client would. */
  write(configDir: string): WrittenSession {
    const session = { projectKey: projectKey(this.cwd), sessionId: this.sessionId };
    const paths = configPaths(configDir);
    const file = paths.transcriptPath(session);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, this.jsonl(), { mode: 0o600 });
    if (this.agents.length > 0) fs.mkdirSync(paths.subagentsDir(session), { recursive: true });
    for (const agent of this.agents) {
      fs.writeFileSync(paths.nestedAgentPath({ ...session, agentId: agent.agentId! }), agent.jsonl(), {
        mode: 0o600,
      });
    }
    return { ...session, cwd: this.cwd, path: file };
  }

  uuid(): string {
    const hex = this.#token(32, "hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  #assistantLine(
    id: string,
    requestId: string,
    line: { block: string | SampleBlock; outputTokens: number },
  ): SampleEntry {
    const block = typeof line.block === "string" ? { type: "text", text: line.block } : line.block;
    const usage = {
      input_tokens: 100,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 3000,
      output_tokens: line.outputTokens,
      service_tier: "standard",
    };
    const stop = block.type === "tool_use" ? "tool_use" : "end_turn";
    return this.#node({
      message: {
        model: "claude-opus-4-6",
        id,
        type: "message",
        role: "assistant",
        content: [block],
        stop_reason: stop,
        stop_sequence: null,
        usage,
      },
      requestId,
      type: "assistant",
    } as SampleEntry);
  }

  #node(entry: SampleEntry): SampleEntry {
    const { version = "2.1.98", gitBranch = "main" } = this.#options;
    const node = this.#add({
      parentUuid: this.#leaf,
      isSidechain: this.agentId !== undefined,
      ...(this.agentId === undefined ? {} : { agentId: this.agentId }),
      uuid: this.uuid(),
      ...entry,
      timestamp: this.#tick(),
      userType: "external",
      entrypoint: "cli",
      cwd: this.cwd,
      sessionId: this.sessionId,
      version,
      gitBranch,
    });
    this.#leaf = node.uuid!;
    return node;
  }

  #add(entry: SampleEntry): SampleEntry {
    this.entries.push(entry);
    return entry;
  }

  #tick(): string {
    this.#now += 1000;
    return new Date(this.#now).toISOString();
  }

  #token(length: number, encoding: "hex" | "base64url" = "base64url"): string {
    const digest = createHash("sha256")
      .update(`${this.#options.seed ?? "sample"} ${this.#ids++}`)
      .digest(encoding);
    return digest.replace(/[-_]/g, "0").slice(0, length);
  }
}
