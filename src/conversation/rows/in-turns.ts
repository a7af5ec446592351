import { rowsTurnMs } from "./limits.ts";

/**
 * The items of a long list, one after the other, with a turn for others every few milliseconds. Throws the reason of the signal.
 */
export async function* inTurns<Item>(items: Iterable<Item>, signal: AbortSignal): AsyncGenerator<Item[]> {
  let turn: Item[] = [];
  let since = performance.now();
  for (const item of items) {
    turn.push(item);
    if (turn.length < TURN_ITEMS_MAX) continue;
    yield turn;
    turn = [];
    if (performance.now() - since < rowsTurnMs) continue;
    await new Promise(setImmediate);
    signal.throwIfAborted();
    since = performance.now();
  }
  yield turn;
}

/** A clock that is asked of every item would take as long as the item. */
const TURN_ITEMS_MAX = 50;
