import { serverError } from "./errors.ts";
import { bodyBytesMax } from "./limits.ts";

/** The JSON of a body, of bounded size. */
export async function readBody(request: Request): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers.get("content-type") ?? ""))
    throw serverError("not_json", "Cannot take the body: send JSON with Content-Type: application/json");
  const text = await readText(request);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw serverError("invalid_request", "Cannot take the body: it is not JSON", {
      fields: { problems: ["body: not JSON"] },
    });
  }
}

async function readText({ headers, body }: Request): Promise<string> {
  if (Number(headers.get("content-length") ?? 0) > bodyBytesMax) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > bodyBytesMax) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function tooLarge(): Error {
  return serverError("too_large", `Cannot take the body: it has more than ${bodyBytesMax} bytes`, {
    fields: { bytesMax: bodyBytesMax },
  });
}
