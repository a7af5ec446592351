import fc from "fast-check";
import { TranscriptBuilder, type SampleEntry } from "./transcript-builder.ts";

/** A transcript, and what is true of it. */
export interface DrawnSession {
  jsonl: string;
  /** Uuids of the messages of the whole conversation, in its order. */
  said: string[];
  /** Of those that a resume gives the model. */
  context: string[];
  branches: number;
  agents: number;
  repeated: number;
  rejected: number;
  builder: TranscriptBuilder;
  steps: readonly (readonly [Shape, number])[];
}

/** Everything that the graph of a transcript may hold (docs/format.md, "The graph"), in any order. */
export const shapes = [
  "turn",
  "tools",
  "crossed tools",
  "progress",
  "late error",
  "two late errors",
  "error before and behind a turn",
  "error in front of a turn",
  "compaction",
  "compaction that preserved messages",
  "compaction with messages preserved behind it",
  "compaction whose parent was never written",
  "compaction without a boundary",
  "rewind",
  "line written twice",
  "line that is none",
  "lost parent",
] as const;
export const ofSessions = ["sub-agent inside"] as const;
const ofAgents = ["compaction and the prompt again", "compaction, and on from the prompt again"] as const;

export type Shape = (typeof shapes)[number] | (typeof ofSessions)[number] | (typeof ofAgents)[number];

const drawnOf = (names: readonly Shape[], options: { agentId?: string }): fc.Arbitrary<DrawnSession> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), fc.nat({ max: 7 })), { minLength: 1, maxLength: 9 })
    .map((steps) => draw(steps, options));

/** A session of the client's. */
export const drawnSession: fc.Arbitrary<DrawnSession> = drawnOf([...shapes, ...ofSessions], {});
/** The transcript of a sub-agent. */
export const drawnAgent: fc.Arbitrary<DrawnSession> = drawnOf([...shapes, ...ofAgents], {
  agentId: "a0123456789abcdef",
});

/** The session in which these things happened, one after the other. */
export function draw(
  steps: readonly (readonly [Shape, number])[],
  options: { agentId?: string; cwd?: string } = {},
): DrawnSession {
  const drawing = new Drawing(options);
  for (const [shape, number] of steps) drawing.add(shape, number);
  return { ...drawing.finish(), steps };
}

class Drawing {
  readonly #builder: TranscriptBuilder;
  /** Lines that are put into the file beside the entries, and behind how many of them. */
  readonly #others: [behind: number, text: string][] = [];
  /** The conversation as it is now: its nodes, in order. */
  #held: SampleEntry[] = [];
  /** Where the context begins among them. */
  #contextFrom = 0;
  /** A prompt that the context begins with once more, behind its summary. */
  #again: SampleEntry | undefined;
  /** Where somebody may go back to: what was preserved is taken as one. */
  #backTo = 0;
  readonly #counts = { branches: 0, agents: 0, repeated: 0, rejected: 0 };
  #texts = 0;

  constructor(options: { agentId?: string; cwd?: string }) {
    this.#builder = new TranscriptBuilder({ ...options, seed: "drawn" });
    this.#turn();
  }

  add(shape: Shape, number: number): void {
    switch (shape) {
      case "turn":
        return this.#turn();
      case "tools":
        return this.#tools(1 + (number % 3));
      case "crossed tools":
        return this.#crossedTools();
      case "progress":
        return void this.#builder.progress({ type: "hook_progress" });
      case "late error":
        return this.#lateErrors({ before: 0, behind: 1 });
      case "two late errors":
        return this.#lateErrors({ before: 0, behind: 2 });
      case "error before and behind a turn":
        return this.#lateErrors({ before: 1, behind: 1 });
      case "error in front of a turn":
        return this.#earlyError();
      case "compaction":
        return this.#compact(0);
      case "compaction that preserved messages":
        return this.#compact(1 + (number % 3));
      case "compaction with messages preserved behind it":
        return this.#preserveBehind();
      case "compaction whose parent was never written":
        return this.#compact(0, { isParentLost: true });
      case "compaction without a boundary":
        return this.#summarise();
      case "rewind":
        return this.#rewind(number);
      case "line written twice":
        return this.#writeTwice();
      case "line that is none":
        return this.#addOther('{"type":"user","uuid":"torn', "rejected");
      case "lost parent":
        return this.#loseParent();
      case "sub-agent inside":
        return this.#inlineAgent();
      case "compaction and the prompt again":
        return this.#promptAgain({ goesOnFromIt: false });
      case "compaction, and on from the prompt again":
        return this.#promptAgain({ goesOnFromIt: true });
    }
  }

  finish(): Omit<DrawnSession, "steps"> {
    const builder = this.#builder;
    const lines = builder.entries.map((entry) => JSON.stringify(entry));
    for (const [behind, text] of this.#others.toReversed()) lines.splice(behind, 0, text);
    const [start, summary, ...rest] = this.#held.slice(this.#contextFrom);
    const context = [start, summary, this.#again, ...rest].filter((entry) => entry !== undefined);
    const messages = (entries: readonly SampleEntry[]): string[] =>
      entries.filter(({ type }) => type === "user" || type === "assistant").map(({ uuid }) => uuid!);
    return {
      jsonl: lines.map((line) => `${line}\n`).join(""),
      said: messages(this.#held),
      context: messages(context),
      ...this.#counts,
      builder,
    };
  }

  #text(what: string): string {
    return `${what} ${++this.#texts}`;
  }

  #hold(...entries: SampleEntry[]): void {
    this.#held.push(...entries);
  }

  #turn(): void {
    this.#hold(this.#builder.prompt(this.#text("question")));
    this.#hold(...this.#builder.reply(this.#text("answer"), this.#text("more of it")));
  }

  #tools(count: number): void {
    const tools = Array.from({ length: count }, () => ({
      name: "Bash",
      input: { command: "true" },
      result: this.#text("result"),
    }));
    const { uses, results } = this.#builder.callTools(...tools);
    this.#hold(...uses, ...results);
    this.#hold(...this.#builder.reply(this.#text("answer")));
  }

  // The answer hangs on the first result that came, the others are beside it.
  #crossedTools(): void {
    const tools = [1, 2].map(() => ({ name: "Read", input: {}, result: this.#text("result") }));
    const { uses, results } = this.#builder.callTools(...tools);
    this.#hold(...uses, ...results);
    this.#builder.continueFrom(results[0]!.uuid!);
    this.#hold(...this.#builder.reply(this.#text("answer")));
  }

  #lateErrors({ before, behind }: { before: number; behind: number }): void {
    const builder = this.#builder;
    this.#hold(builder.prompt(this.#text("question")));
    const on = builder.leaf;
    const error = (): SampleEntry => builder.system("api_error", { error: { status: 529 }, retryAttempt: 1 });
    for (let i = 0; i < before; i++) this.#hold(error());
    const lastBefore = builder.leaf;
    builder.continueFrom(on);
    this.#hold(...builder.reply(this.#text("answer that came after all")));
    builder.continueFrom(lastBefore);
    for (let i = 0; i < behind; i++) this.#hold(error());
    // What is said next hangs on the error.
    this.#turn();
  }

  #earlyError(): void {
    this.#hold(this.#builder.prompt(this.#text("question")));
    this.#hold(this.#builder.system("api_error", { error: { status: 529 } }));
    this.#hold(...this.#builder.reply(this.#text("answer")));
  }

  #compact(preserved: number, { isParentLost = false } = {}): void {
    const builder = this.#builder;
    // The end of the chain, of which every entry is the parent of the next.
    const tail: SampleEntry[] = [];
    for (const entry of this.#held.slice(this.#contextFrom).toReversed()) {
      if (tail.length === preserved || (tail.length > 0 && tail[0]!.parentUuid !== entry.uuid)) break;
      tail.unshift(entry);
    }
    const preserve = builder.leaf === tail.at(-1)?.uuid ? tail : [];
    const [boundary, summary] = builder.compact(this.#text("summary"), { preserve });
    if (isParentLost) boundary!["logicalParentUuid"] = builder.uuid();
    this.#again = undefined;
    this.#held = this.#held.filter((entry) => !preserve.includes(entry));
    this.#contextFrom = this.#held.length;
    this.#hold(boundary!, summary!, ...preserve);
    this.#backTo = this.#held.length - 1;
    this.#hold(...builder.reply(this.#text("answer")));
  }

  // Client 2.1.226 writes what it kept behind the summary; the boundary names the last of it as what came before.
  #preserveBehind(): void {
    const builder = this.#builder;
    const [boundary, summary] = builder.compact(this.#text("summary"));
    this.#again = undefined;
    const kept = builder.reply(this.#text("kept"));
    const uuids = kept.map(({ uuid }) => uuid!);
    boundary!["logicalParentUuid"] = uuids.at(-1)!;
    boundary!["compactMetadata"] = {
      trigger: "auto",
      preservedSegment: { headUuid: uuids[0], anchorUuid: summary!.uuid, tailUuid: uuids.at(-1) },
      preservedMessages: { anchorUuid: summary!.uuid, uuids, allUuids: uuids },
    };
    this.#contextFrom = this.#held.length;
    this.#hold(boundary!, summary!, ...kept);
    this.#backTo = this.#held.length - 1;
    this.#turn();
  }

  #summarise(): void {
    this.#builder.continueFrom(null);
    this.#again = undefined;
    this.#backTo = this.#contextFrom = this.#held.length;
    this.#hold(
      this.#builder.prompt(this.#text("summary"), {
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
      }),
    );
    this.#hold(...this.#builder.reply(this.#text("answer")));
  }

  // Somebody goes back to the end of an earlier answer, but not to before a compaction, and asks something else.
  #rewind(number: number): void {
    const ends = this.#held.flatMap(({ type, message }, index) => {
      const [block] = Array.isArray(message?.content) ? (message.content as { type: string }[]) : [];
      const next = this.#held[index + 1];
      const isEnd = type === "assistant" && block?.type === "text" && next?.message?.id !== message?.id;
      return isEnd && index >= this.#backTo && index < this.#held.length - 1 ? [index] : [];
    });
    if (ends.length === 0) return;
    const end = ends[number % ends.length]!;
    const left = this.#held.splice(end + 1);
    this.#counts.branches += left.filter(({ type }) => type !== "system").length;
    this.#builder.continueFrom(this.#held[end]!.uuid!);
    this.#turn();
  }

  #writeTwice(): void {
    const last = this.#held.at(-1)!;
    if (this.#builder.entries.at(-1) === last) this.#addOther(JSON.stringify(last), "repeated");
  }

  #addOther(text: string, kind: "repeated" | "rejected"): void {
    this.#others.push([this.#builder.entries.length, text]);
    this.#counts[kind]++;
  }

  #loseParent(): void {
    // What was said before stands right above in the file only as long as nobody went back.
    this.#builder.continueFrom(this.#builder.uuid());
    this.#turn();
  }

  #inlineAgent(): void {
    const builder = this.#builder;
    const leaf = builder.leaf;
    builder.continueFrom(null);
    for (const text of ["task", "and more"]) builder.prompt(this.#text(text), { isSidechain: true });
    this.#counts.agents += 2;
    builder.continueFrom(leaf);
  }

  #promptAgain({ goesOnFromIt }: { goesOnFromIt: boolean }): void {
    const builder = this.#builder;
    const first = builder.entries[0]!;
    const [boundary, summary] = builder.compact(this.#text("summary"));
    this.#backTo = this.#contextFrom = this.#held.length;
    this.#hold(boundary!, summary!);
    this.#addOther(JSON.stringify(first), "repeated");
    this.#again = goesOnFromIt ? first : undefined;
    builder.continueFrom(goesOnFromIt ? first.uuid! : summary!.uuid!);
    this.#hold(...builder.reply(this.#text("answer")));
  }
}
