/** The last `count` items, or all when no count is given. Holds no more than twice as many as are asked for. */
export async function* lastOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  count: number | undefined,
): AsyncGenerator<T> {
  if (count === undefined) {
    yield* items;
    return;
  }
  let last: T[] = [];
  for await (const item of items) {
    last.push(item);
    if (last.length >= count * 2) last = last.slice(-count);
  }
  yield* last.slice(-count);
}
