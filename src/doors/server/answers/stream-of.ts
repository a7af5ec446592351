/**
 * Pieces as the body of a response: the next one is asked for when the reader has room, none after it is gone. The first one is
 * waited for, so that what cannot be begun is refused, with its status.
 */
export async function streamOf(
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let first: IteratorResult<string | Uint8Array> | undefined = await iterator.next();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = first ?? (await iterator.next());
      first = undefined;
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    cancel: async () => void (await iterator.return?.()),
  });
}
