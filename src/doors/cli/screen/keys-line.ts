import { cutEnd } from "../render/cut-text.ts";
import { displayWidth } from "../render/display-width.ts";

const SEPARATOR = " · ";

/**
 * What keys do, in one line. A narrow window names fewer of them: those of `unnamedFirst` go, in this order. By default that
 * is every one but the first and the last, from the end: the last is the way out.
 */
export function keysLine(
  keys: readonly string[],
  columns: number,
  unnamedFirst: readonly string[] = keys.slice(1, -1).toReversed(),
): string {
  const fitting = unnamedFirst.reduce(
    (named, key) =>
      displayWidth(named.join(SEPARATOR)) > columns ? named.filter((each) => each !== key) : named,
    keys,
  );
  return cutEnd(fitting.join(SEPARATOR), columns);
}
