import { agentActivitiesMax, agentActivityLengthMax, agentTodosMax } from "../../../format/limits.ts";
import { oneLine } from "../../../format/short-text.ts";
import { beginningOf } from "../../../lib/whole-characters.ts";
import type { AgentUsage, AssistantEvent, RunnerEvent } from "../../ports.ts";
import type { AgentActivity, AgentProgress, WholeUsage } from "./agent-progress.ts";
import { partsOf, textsOf } from "./content-parts.ts";

/** Price of one message in US dollars; undefined when nobody knows it. */
export type MessagePrice = (model: string, usage: WholeUsage) => number | undefined;

type Changeable = Pick<AgentProgress, "todos" | "needsInput" | "foreignSessionId">;

/**
 * Counts what an agent does. Of a message that comes in several pieces the largest counts stand, because each piece
 * repeats them; totals that an agent tells apart from messages replace the sums. Costs the same however long it runs.
 */
export class ProgressCounter {
  readonly #messages = new Map<string, { model: string; usage: WholeUsage }>();
  readonly #open = new Set<string>();
  #sum: WholeUsage = noUsage;
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
        this.#told = { usage: wholeUsage(usage), ...(costUsd !== undefined && { costUsd }) };
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
    const usage = this.#told?.usage ?? this.#sum;
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
    const known = this.#messages.get(message.id)?.usage ?? noUsage;
    const usage = combine(known, wholeUsage(message.usage), Math.max);
    this.#messages.set(message.id, { model: message.model, usage });
    this.#sum = combine(
      combine(this.#sum, usage, (a, b) => a + b),
      known,
      (a, b) => a - b,
    );
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
    for (const { model, usage } of this.#messages.values()) {
      const cost = totalTokens(usage) === 0 ? 0 : price(model, usage);
      if (cost === undefined) return undefined;
      sum += cost;
    }
    return sum;
  }
}

const noUsage: WholeUsage = wholeUsage({ input_tokens: 0, output_tokens: 0 });

function totalTokens(usage: WholeUsage): number {
  return (
    usage.input_tokens +
    usage.output_tokens +
    usage.cache_creation_input_tokens +
    usage.cache_read_input_tokens
  );
}

function wholeUsage(usage: AgentUsage): WholeUsage {
  const count = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);
  return {
    input_tokens: count(usage.input_tokens),
    output_tokens: count(usage.output_tokens),
    cache_creation_input_tokens: count(usage.cache_creation_input_tokens),
    cache_read_input_tokens: count(usage.cache_read_input_tokens),
  };
}

function combine(a: WholeUsage, b: WholeUsage, by: (a: number, b: number) => number): WholeUsage {
  return {
    input_tokens: by(a.input_tokens, b.input_tokens),
    output_tokens: by(a.output_tokens, b.output_tokens),
    cache_creation_input_tokens: by(a.cache_creation_input_tokens, b.cache_creation_input_tokens),
    cache_read_input_tokens: by(a.cache_read_input_tokens, b.cache_read_input_tokens),
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
