/**
 * A fetch whose response fails when the server sends no byte for too long. Only waiting counts, not the time that the
 * reader takes. The SDK passes over pings, so whoever looks only at its events cannot tell a dead stream from a slow one.
 */
export function failOnSilence(
  realFetch: typeof fetch,
  { silenceMsMax }: { silenceMsMax: number },
): typeof fetch {
  return async (input, init) => {
    const response = await realFetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(impatient(response.body, silenceMsMax), { status, statusText, headers });
  };
}

function impatient(body: ReadableStream<Uint8Array>, silenceMsMax: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await orSilence(reader.read(), silenceMsMax);
      if (piece === "silence") {
        controller.error(new Error(`no byte for ${silenceMsMax / 1000} s`));
        await reader.cancel();
      } else if (piece.done) controller.close();
      else controller.enqueue(piece.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function orSilence<T>(waiting: Promise<T>, silenceMsMax: number): Promise<T | "silence"> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<"silence">((resolve) => {
    timer = setTimeout(resolve, silenceMsMax, "silence");
  });
  try {
    return await Promise.race([waiting, silence]);
  } finally {
    clearTimeout(timer);
  }
}
