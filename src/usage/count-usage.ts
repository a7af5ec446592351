import type { AnyTranscript } from "../store/list/all-transcripts.ts";
import { loadPrices } from "./prices/price.ts";
import { readMessages, type CountedFile, type StaleFile } from "./read-messages.ts";
import type { UsageContext, UsageOptions } from "./report-usage.ts";
import { sumCells, type UsageCell } from "./usage-cells.ts";
import type { CellQuery, Comparison, UsageIndex } from "./usage-index.ts";

export interface Counting extends CellQuery, Comparison {
  index: UsageIndex;
  /** Whether what is asked for cuts days or files apart: then it is counted from the messages. */
  ofMessages: boolean;
}

/** Reads what is new, keeps it, and sums up. */
export async function countUsage(
  context: UsageContext,
  options: UsageOptions,
  { index, stale, isTrusted, ofMessages, ...query }: Counting,
): Promise<UsageCell[]> {
  const [priceOf, read] = await Promise.all([loadPrices(context.prices), readMessages(stale, options)]);
  const change = { ...query, read, priceOf };
  const isNews = read.length + change.gone.length > 0;
  let cells = !isTrusted ? undefined : isNews ? index.update(change) : index.cells(query);
  if (cells && !ofMessages) return cells;
  const others: CountedFile[] = [];
  const damaged: StaleFile[] = [];
  const staleOnes = new Set(stale.map(({ transcript }) => transcript.path));
  for (const transcript of query.transcripts.all().filter(({ path }) => !staleOnes.has(path))) {
    const messages = index.messagesOf(transcript);
    if (messages) others.push({ transcript, messages });
    else damaged.push({ transcript, from: 0, messages: [] });
  }
  read.push(...(await readMessages(damaged, options)));
  if (!cells || damaged.length > 0) cells = index.update({ ...change, others });
  if (cells && !ofMessages) return cells;
  const includes = momentFilter(options);
  return sumCells([...read, ...others], { priceOf, includes, taskOf: taskFinder(options) });
}

function momentFilter({ since, until }: UsageOptions): (at: number) => boolean {
  if (since === undefined && until === undefined) return () => true;
  const [from, to] = [since?.getTime() ?? -Infinity, until?.getTime() ?? Infinity];
  return (at) => at >= from && at <= to;
}

/** The task of a message: of those that wrote its transcript, the one that had started last when it was sent. */
function taskFinder({ tasks = [] }: UsageOptions): (transcript: AnyTranscript, at: number) => string {
  const started = tasks.map((task) => ({ ...task, startedMs: Date.parse(task.startedAt) }));
  const byPath = Map.groupBy(started, ({ path }) => path);
  for (const ofPath of byPath.values()) ofPath.sort((a, b) => a.startedMs - b.startedMs);
  return ({ path, agentId }, at) => {
    const ofPath = byPath.get(path);
    if (!ofPath) return agentId ?? NO_TASK;
    return (ofPath.findLast(({ startedMs }) => startedMs <= at) ?? ofPath[0]!).taskId;
  };
}

const NO_TASK = "none";
