import { parseJson } from "../lib/read-json.ts";
import { sealText, unsealText } from "../store/index/sealed-text.ts";
import type { MessageUsage } from "../store/line/message-usage.ts";

/** The messages of a transcript as sealed JSON, with its path. Lists instead of objects: names would be most of it. */
export function packMessages(path: string, messages: Iterable<MessageUsage>): string {
  const lists: unknown[] = [path];
  for (const each of messages)
    lists.push([
      each.key,
      each.at,
      each.model,
      each.isStopped ? 1 : 0,
      each.isSidechain ? 1 : 0,
      each.contentBytes,
      each.inputTokens,
      each.outputTokens,
      each.cacheWrite5mTokens,
      each.cacheWrite1hTokens,
      each.cacheReadTokens,
    ]);
  return sealText(JSON.stringify(lists));
}

/** The messages that were packed; undefined when the text is anything else, or of another transcript. */
export function unpackMessages(path: string, text: unknown): MessageUsage[] | undefined {
  const lists = parseJson(unsealText(text) ?? "");
  if (!Array.isArray(lists) || lists.shift() !== path || !lists.every(isPackedMessage)) return undefined;
  return lists.map(unpackMessage);
}

type Counts = [number, number, number, number, number, number, number, number];
type PackedMessage = [key: number, at: number | null, model: string, ...Counts];

function isPackedMessage(list: unknown): list is PackedMessage {
  if (!Array.isArray(list) || list.length !== 11 || typeof list[2] !== "string") return false;
  return list.every((value, at) => typeof value === "number" || at === 2 || (at === 1 && value === null));
}

function unpackMessage(list: PackedMessage): MessageUsage {
  return {
    key: list[0],
    at: list[1],
    model: list[2],
    isStopped: list[3] === 1,
    isSidechain: list[4] === 1,
    contentBytes: list[5],
    inputTokens: list[6],
    outputTokens: list[7],
    cacheWrite5mTokens: list[8],
    cacheWrite1hTokens: list[9],
    cacheReadTokens: list[10],
  };
}
