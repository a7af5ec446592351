import { agentActivitiesMax, agentActivityLengthMax, agentTodosMax } from "../../tasks/kinds/agent/limits.ts";
import { combineTokens, mergeTokens, tokensOf, type MessageTokens } from "../../format/message-tokens.ts";
import { oneLine } from "../../format/short-text.ts";
import { beginningOf } from "../../lib/whole-characters.ts";
import type { AssistantEvent, RunnerEvent } from "../../tasks/ports.ts";
import type { AgentActivity, AgentProgress, WholeUsage } from "../../tasks/kinds/agent/agent-progress.ts";
import { partsOf, textsOf } from "../launch/content-parts.ts";

/** Price of one message in US dollars; undefined when nobody knows it. */
export type MessagePrice = (model: string, tokens: MessageTokens) => number | undefined;

type Changeable = Pick<AgentProgress, "todos" | "needsInput" | "foreignSessionId">;

/**
 * Counts what an agent does. A message that comes in several pieces counts once. Totals that an agent reports apart from
 * its messages replace the sums.
 */
export class ProgressCounter {
  readonly #messages = new Map<string, { model: string; tokens: MessageTokens }>();
  readonly #open = new Set<string>();
  #sum = noTokens;
  #told: { usage: WholeUsage; costUsd?: number } | undefined;
  #toolUses = 0;
  #activities: AgentActivity[] = [];
  #said: string | undefined;
  #rest: Changeable = {};

  /** Tool uses that have no result yet. */
  get openToolUses(): number {
    return this.#open.size;
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
        this.#told = { usage: wholeUsage(tokensOf(usage)), ...(costUsd !== undefined && { costUsd }) };
        return;
      }
      case "activity":
        return this.#note({ at, text: shortLine(event.text) });
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
    const usage = this.#told?.usage ?? wholeUsage(this.#sum);
    const costUsd = this.#told?.costUsd ?? (price && this.#cost(price));
    return {
      schemaVersion: 1,
      turns: this.#messages.size,
      toolUses: this.#toolUses,
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
    const known = this.#messages.get(message.id)?.tokens ?? noTokens;
    const tokens = mergeTokens(known, tokensOf(message.usage));
    this.#messages.set(message.id, { model: message.model, tokens });
    const added = combineTokens(tokens, known, (now, before) => now - before);
    this.#sum = combineTokens(this.#sum, added, (a, b) => a + b);
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

  #note(activity: AgentActivity): void {
    this.#activities = [...this.#activities, activity].slice(-agentActivitiesMax);
  }

  // Unknown as soon as the price of one message is: half of a sum is no cost. A message that cost nothing needs no price.
  #cost(price: MessagePrice): number | undefined {
    let sum = 0;
    for (const { model, tokens } of this.#messages.values()) {
      const cost = totalTokens(wholeUsage(tokens)) === 0 ? 0 : price(model, tokens);
      if (cost === undefined) return undefined;
      sum += cost;
    }
    return sum;
  }
}

const noTokens = tokensOf({});

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

const tellingKeys = ["description", "command", "file_path", "path", "pattern", "query", "url", "prompt"];

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
