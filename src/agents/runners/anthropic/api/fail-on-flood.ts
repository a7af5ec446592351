const NEWLINE = 10;
const RETURN = 13;

/**
 * A fetch whose response fails when one event of its stream, or a response that is no stream, has too many bytes: the SDK
 * keeps a line until its end comes, and the lines of an event until the empty one behind them.
 */
export function failOnFlood(
  realFetch: typeof fetch,
  { eventBytesMax }: { eventBytesMax: number },
): typeof fetch {
  return async (input, init) => {
    const response = await realFetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
    const body = response.body.pipeThrough(bounded({ eventBytesMax, isStream }));
    return new Response(body, { status, statusText, headers });
  };
}

function bounded({
  eventBytesMax,
  isStream,
}: {
  eventBytesMax: number;
  isStream: boolean;
}): TransformStream<Uint8Array, Uint8Array> {
  let eventBytes = 0;
  let lineBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        const isReturn = end > start && chunk[end - 1] === RETURN;
        const isEmpty = lineBytes + end - start - (isReturn ? 1 : 0) === 0;
        eventBytes = isEmpty && isStream ? 0 : eventBytes + end + 1 - start;
        lineBytes = 0;
        start = end + 1;
      }
      lineBytes += chunk.length - start;
      eventBytes += chunk.length - start;
      if (eventBytes > eventBytesMax)
        controller.error(new Error(`an event of more than ${eventBytesMax} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
