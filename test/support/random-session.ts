import type { SeededRandom } from "./seeded-random.ts";
import { TranscriptBuilder, type SampleEntry } from "./transcript-builder.ts";

export interface RandomSessionOptions {
  /** How many things happen in it. */
  steps?: number;
  /** Characters added to a text now and then, to make lines of any length. */
  paddingMax?: number;
  /** Also what only a damaged file holds: torn lines, missing, circular and forward parents, lines written twice. */
  isDamaged?: boolean;
}

/** A session as a client could have written it, of everything that makes conversations hard to find, at random. */
export function randomSession(random: SeededRandom, options: RandomSessionOptions = {}): string[] {
  const session = new RandomSession(random, options);
  const steps = options.steps ?? random.between(1, 30);
  for (let step = 0; step < steps; step++) session.step();
  const lines = session.builder.entries.map((entry) => JSON.stringify(entry));
  return options.isDamaged ? damage(lines, random) : lines;
}

class RandomSession {
  readonly builder: TranscriptBuilder;
  readonly #random: SeededRandom;
  readonly #paddingMax: number;

  constructor(random: SeededRandom, { paddingMax = 0 }: RandomSessionOptions) {
    this.#random = random;
    this.#paddingMax = paddingMax;
    this.builder = new TranscriptBuilder({ seed: `random ${random.seed}` });
  }

  step(): void {
    const { builder } = this;
    const actions: [weight: number, act: () => void][] = [
      [4, () => builder.prompt(this.#text("prompt"))],
      [4, () => builder.reply(...this.#many(3, () => this.#text("answer")))],
      [4, () => this.#callTools()],
      [2, () => this.#interleaveTools()],
      [2, () => this.#progress()],
      [1, () => builder.system("turn_duration", { durationMs: 1 })],
      [1, () => builder.prompt("", { type: "attachment", attachment: { type: "date_change" } })],
      [2, () => this.#queue()],
      [2, () => this.#compact()],
      [1, () => this.#rewind()],
      [1, () => this.#sidechain()],
      [1, () => builder.meta("custom-title", { customTitle: this.#text("title") })],
    ];
    let at = this.#random.between(
      1,
      actions.reduce((sum, [weight]) => sum + weight, 0),
    );
    actions.find(([weight]) => (at -= weight) <= 0)![1]();
  }

  #callTools(): void {
    const { builder } = this;
    const { results } = builder.callTools(
      ...this.#many(3, () => ({ name: "Bash", input: {}, result: this.#text("result") })),
    );
    if (!this.#chance(0.5)) return;
    this.#shuffleTail(results.length);
    if (this.#chance(0.5)) builder.continueFrom(builder.entries.at(-1)!.uuid!);
  }

  // A message whose next block was written behind the result of the one before: use, result, use, result.
  #interleaveTools(): void {
    const { builder } = this;
    const { uses, results } = builder.callTools(
      ...this.#many(3, () => ({ name: "Read", input: {}, result: this.#text("result") })),
    );
    builder.entries.splice(-2 * uses.length);
    uses.forEach((use, index) => {
      const before = results[index - 1];
      if (before) use.parentUuid = before.uuid!;
      builder.entries.push(use, results[index]!);
    });
  }

  #progress(): void {
    const progress = this.builder.progress({ type: "hook_progress" });
    if (this.#chance(0.5)) this.builder.continueFrom(progress.uuid!);
  }

  #queue(): void {
    const { builder } = this;
    const text = `queued ${this.#random.between(1, 4)}`;
    const operation = this.#random.between(1, 8);
    if (operation === 1) builder.prompt(text);
    else if (operation === 2) builder.queue("popAll");
    else if (operation === 3) builder.queue("dequeue");
    else if (operation <= 5) builder.queue("remove");
    else builder.queue("enqueue", operation === 6 ? "<task-notification>" : text);
  }

  #compact(): void {
    const { builder } = this;
    const nodes = builder.entries.filter(({ uuid, isSidechain }) => uuid !== undefined && !isSidechain);
    const chain = chainOf(nodes, builder.leaf);
    const preserve = this.#chance(0.5) ? chain.slice(-this.#random.between(1, 4)) : [];
    const leaf = builder.leaf;
    const [boundary, summary] = builder.compact("summary", { preserve });
    const metadata = boundary!["compactMetadata"] as Record<string, unknown>;
    if (preserve.length > 0 && this.#chance(0.5)) {
      delete metadata["preservedMessages"];
      metadata["preservedSegment"] = {
        headUuid: preserve[0]!.uuid,
        anchorUuid: summary!.uuid,
        tailUuid: preserve.at(-1)!.uuid,
      };
    }
    if (preserve.length === 0 && this.#chance(0.2)) boundary!["logicalParentUuid"] = builder.uuid();
    if (this.#chance(0.3)) builder.continueFrom(summary!.uuid!);
    if (this.#chance(0.1)) {
      builder.entries.pop();
      builder.continueFrom(leaf);
    }
  }

  #rewind(): void {
    const nodes = this.builder.entries.filter(({ uuid, isSidechain }) => uuid !== undefined && !isSidechain);
    if (nodes.length > 0) this.builder.continueFrom(this.#pick(nodes).uuid!);
  }

  #sidechain(): void {
    const { builder } = this;
    const leaf = builder.leaf;
    builder.continueFrom(null);
    for (let line = this.#random.between(1, 3); line > 0; line--)
      builder.prompt("of an agent", { isSidechain: true });
    builder.continueFrom(leaf);
  }

  #shuffleTail(count: number): void {
    const tail = this.builder.entries.splice(-count);
    while (tail.length > 0)
      this.builder.entries.push(...tail.splice(this.#random.between(0, tail.length - 1), 1));
  }

  #text(text: string): string {
    return this.#chance(0.5) ? text : text + "x".repeat(this.#random.between(0, this.#paddingMax));
  }

  #many<T>(max: number, make: () => T): T[] {
    return Array.from({ length: this.#random.between(1, max) }, make);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random.between(0, items.length - 1)]!;
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }
}

function chainOf(nodes: readonly SampleEntry[], leaf: string | null): SampleEntry[] {
  const byUuid = new Map(nodes.map((node) => [node.uuid!, node]));
  const chain = new Set<SampleEntry>();
  let node = byUuid.get(leaf ?? "");
  while (node && !chain.has(node)) {
    chain.add(node);
    node = byUuid.get(node.parentUuid ?? "");
  }
  return [...chain].reverse();
}

function damage(lines: string[], random: SeededRandom): string[] {
  const damaged = [...lines];
  for (let wounds = random.between(1, 4); wounds > 0; wounds--) {
    const at = random.between(0, damaged.length - 1);
    const line = damaged[at]!;
    const other = damaged[random.between(0, damaged.length - 1)]!;
    const uuid = /"uuid":("[^"]+")/.exec(other)?.[1];
    const kind = random.between(1, 4);
    if (kind === 1) damaged[at] = line.slice(0, random.between(1, line.length - 1));
    else if (kind === 2) damaged.splice(random.between(at + 1, damaged.length), 0, line);
    else if (kind === 3) damaged.splice(at, 1);
    else if (uuid) damaged[at] = line.replace(/"parentUuid":(?:null|"[^"]+")/, `"parentUuid":${uuid}`);
    if (damaged.length === 0) return lines;
  }
  return damaged;
}
