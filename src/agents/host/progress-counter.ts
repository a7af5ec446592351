import { agentActivitiesMax, agentActivityLengthMax, agentTodosMax } from "../../tasks/kinds/agent/limits.ts";
import { combineTokens, mergeTokens, tokensOf, type MessageTokens } from "../../format/message-tokens.ts";
import { oneLine } from "../../format/short-text.ts";
import { beginningOf } from "../../lib/whole-characters.ts";
import type { AssistantEvent, RunnerEvent } from "../../tasks/ports.ts";
import {
  noUsage,
  type AgentActivity,
  type AgentProgress,
  type WholeUsage,
} from "../../tasks/kinds/agent/agent-progress.ts";
import { partsOf, textsOf } from "../launch/content-parts.ts";

/** Price of one message in US dollars; undefined when nobody knows it. */
export type MessagePrice = (model: string, tokens: MessageTokens) => number | undefined;

type Changeable = Pick<AgentProgress, "todos" | "needsInput" | "foreignSessionId">;

interface Answer {
  model: string;
  tokens: MessageTokens;
}

/**
 * Counts what an agent does. A message that comes in several pieces counts once: where requests are told, everything
 * between two of them is one, else what has the same id. Totals that an agent reports apart from its messages replace the sums.
 */
export class ProgressCounter {
  readonly #answers: Answer[] = [];
  /** Those of the request under way, by the id of the message. */
  readonly #byId = new Map<string, Answer>();
  #areRequestsTold = false;
  #turns = 0;
  #subagentRequests = 0;
  #spent = noTokens;
  readonly #open = new Set<string>();
  #sum = noTokens;
  #told: { tokens?: MessageTokens; costUsd?: number } = {};
  #toolUses = 0;
  #activities: AgentActivity[] = [];
  #said: string | undefined;
  #rest: Changeable = {};
  readonly #before: AgentProgress | undefined;

  /** `before` is how far it was in another process: everything is counted on from there. */
  constructor(before?: AgentProgress) {
    this.#before = before;
    this.#activities = before?.activities ?? [];
    if (before?.todos) this.#rest.todos = before.todos;
  }

  /** Tool uses that have no result yet. */
  get openToolUses(): number {
    return this.#open.size;
  }

  /** Requests to a model, those of its own sub-agents and of another process before this one among them, but no second tries. */
  get requests(): number {
    return this.#turns + this.#subagentRequests + (this.#before?.turns ?? 0);
  }

  get lastModel(): string {
    return this.#answers.at(-1)?.model ?? "";
  }

  /** What is said from here on answers another request, whatever id it has. */
  beginRequest({ isTurn }: { isTurn: boolean }): void {
    this.#areRequestsTold = true;
    if (isTurn) this.#turns++;
    this.#byId.clear();
    this.#spent = noTokens;
  }

  /** What was used since the last request began. */
  requestTokens(): { tokens: MessageTokens; total: number } {
    const all = [this.#spent, ...[...this.#byId.values()].map(({ tokens }) => tokens)];
    const tokens = all.reduce((a, b) => combineTokens(a, b, add));
    return { tokens, total: totalTokens(wholeUsage(tokens)) };
  }

  count(event: RunnerEvent, at: string): void {
    switch (event.kind) {
      case "assistant":
        return this.#countMessage(event, at);
      case "user":
        for (const part of partsOf(event.message.content))
          if (part.type === "tool_result") this.#open.delete(String(part["tool_use_id"]));
        return;
      case "todos":
        this.#rest.todos = event.todos.slice(0, agentTodosMax);
        return;
      case "session":
        this.#rest.foreignSessionId = event.foreignSessionId;
        return;
      case "usage": {
        const { usage, costUsd } = event;
        this.#told = { ...(usage && { tokens: tokensOf(usage) }), ...(costUsd !== undefined && { costUsd }) };
        return;
      }
      case "activity":
        return this.#note({ at, text: shortLine(event.text) });
      case "request":
        if (event.isOfSubagent) this.#subagentRequests++;
        else this.beginRequest({ isTurn: true });
        return;
      case "spent": {
        const tokens = tokensOf(event.usage);
        this.#answers.push({ model: event.model, tokens });
        this.#spent = combineTokens(this.#spent, tokens, add);
        this.#sum = combineTokens(this.#sum, tokens, add);
        return;
      }
      case "delta":
        return;
    }
  }

  /** Undefined takes a key away. */
  set<Key extends keyof Changeable>(key: Key, value: Changeable[Key] | undefined): void {
    if (value === undefined) delete this.#rest[key];
    else this.#rest = { ...this.#rest, [key]: value };
  }

  progress({ at, price }: { at: string; price?: MessagePrice | undefined }): AgentProgress {
    const before = this.#before;
    const usage = sumOf(wholeUsage(this.#told.tokens ?? this.#sum), before?.usage ?? noUsage);
    const own = this.#told.costUsd ?? (price && this.#cost(price));
    const costUsd =
      own === undefined || !before ? own : before.costUsd === undefined ? undefined : own + before.costUsd;
    return {
      schemaVersion: 1,
      turns: this.#turns + (before?.turns ?? 0),
      toolUses: this.#toolUses + (before?.toolUses ?? 0),
      tokens: totalTokens(usage),
      usage,
      ...(costUsd !== undefined && { costUsd }),
      activities: this.#activities,
      ...(this.#said !== undefined && { summary: shortLine(this.#said) }),
      ...this.#rest,
      updatedAt: at,
    };
  }

  #countMessage({ message }: AssistantEvent, at: string): void {
    const answer = this.#answerOf(message);
    const tokens = mergeTokens(answer.tokens, tokensOf(message.usage));
    const added = combineTokens(tokens, answer.tokens, (now, before) => now - before);
    answer.tokens = tokens;
    this.#sum = combineTokens(this.#sum, added, add);
    for (const part of message.content) {
      if (part.type === "tool_use") {
        this.#toolUses++;
        this.#open.add(String(part["id"]));
        const tool = String(part["name"]);
        this.#note({ at, tool, text: shortLine(`${tool} ${inputText(part["input"])}`) });
      }
    }
    const said = textsOf(message.content).at(-1);
    if (said !== undefined) this.#said = said;
  }

  #answerOf({ id, model }: AssistantEvent["message"]): Answer {
    const known = this.#byId.get(id);
    if (known) return known;
    const answer = { model, tokens: noTokens };
    this.#byId.set(id, answer);
    this.#answers.push(answer);
    if (!this.#areRequestsTold) this.#turns++;
    return answer;
  }

  #note(activity: AgentActivity): void {
    this.#activities = [...this.#activities, activity].slice(-agentActivitiesMax);
  }

  // Unknown as soon as the price of one message is: half of a sum is no cost. A message that cost nothing needs no price.
  #cost(price: MessagePrice): number | undefined {
    const told = this.#told.tokens;
    if (told) return totalTokens(wholeUsage(told)) === 0 ? 0 : price(this.lastModel, told);
    let sum = 0;
    for (const { model, tokens } of this.#answers) {
      const cost = totalTokens(wholeUsage(tokens)) === 0 ? 0 : price(model, tokens);
      if (cost === undefined) return undefined;
      sum += cost;
    }
    return sum;
  }
}

const noTokens = tokensOf({});
const add = (a: number, b: number): number => a + b;

function sumOf(a: WholeUsage, b: WholeUsage): WholeUsage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  };
}

function totalTokens(usage: WholeUsage): number {
  return Object.values(usage).reduce((sum, count) => sum + count, 0);
}

function wholeUsage(tokens: MessageTokens): WholeUsage {
  return {
    input_tokens: tokens.inputTokens,
    output_tokens: tokens.outputTokens,
    cache_creation_input_tokens: tokens.cacheWrite5mTokens + tokens.cacheWrite1hTokens,
    cache_read_input_tokens: tokens.cacheReadTokens,
  };
}

const tellingKeys = ["command", "file_path", "path", "description", "pattern", "query", "url", "prompt"];

// The one value of a tool's input that says most.
function inputText(input: unknown): string {
  const values = (input ?? {}) as Record<string, unknown>;
  const texts = [...tellingKeys.map((key) => values[key]), ...Object.values(values)];
  return texts.find((value) => typeof value === "string") ?? "";
}

// Only as much of a long text is looked at as could be shown, were half of it white space.
function shortLine(text: string): string {
  const line = oneLine(text.slice(0, agentActivityLengthMax * 2));
  if (line.length <= agentActivityLengthMax && text.length <= agentActivityLengthMax * 2) return line;
  return `${beginningOf(line, agentActivityLengthMax - 1)}…`;
}
