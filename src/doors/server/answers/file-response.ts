import { serverError } from "../errors.ts";
import type { FileAnswer, RangedFile } from "./file-answer.ts";
import { streamOf } from "./stream-of.ts";

/** A file as a response. What it holds comes from elsewhere: opened by itself, it can neither run nor load anything. */
export async function fileResponse(file: FileAnswer, request: Request): Promise<Response> {
  const headers = new Headers({
    "Content-Type": file.contentType,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
  if (file.fileName !== undefined)
    headers.set("Content-Disposition", `attachment; filename*=UTF-8''${encodeURIComponent(file.fileName)}`);
  if ("read" in file) return rangedResponse(file, request, headers);
  const { body } = file;
  if (body instanceof Uint8Array) return new Response(new Uint8Array(body), { headers });
  return new Response(typeof body === "string" ? body : await streamOf(body), { headers });
}

async function rangedResponse(file: RangedFile, request: Request, headers: Headers): Promise<Response> {
  const range = parseRange(request.headers.get("range"), file.bytes);
  headers.set("Accept-Ranges", "bytes");
  headers.set("Content-Length", String(range.to - range.from));
  if (range.isPart) headers.set("Content-Range", `bytes ${range.from}-${range.to - 1}/${file.bytes}`);
  return new Response(await streamOf(file.read(range.from, range.to)), {
    status: range.isPart ? 206 : 200,
    headers,
  });
}

// One range; a server may answer anything else with the whole file.
function parseRange(header: string | null, bytes: number): { from: number; to: number; isPart: boolean } {
  const whole = { from: 0, to: bytes, isPart: false };
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (first === "" && last === "") return whole;
  const from = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const to = first === "" || last === "" ? bytes : Math.min(bytes, Number(last) + 1);
  if (from >= to)
    throw serverError("no_such_range", `Cannot read from byte ${from}: the file has ${bytes}`, {
      fields: { bytes },
    });
  return { from, to, isPart: true };
}
