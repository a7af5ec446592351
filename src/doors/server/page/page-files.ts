import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};

const brotli = promisify(zlib.brotliCompress);
// A twentieth of the time of the best quality, for a tenth more bytes: the first page waits for it.
const compress = (bytes: Buffer): Promise<Buffer> =>
  brotli(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } });

export interface PageFiles {
  /** The file of a path of the page, or the page itself for a path that only the page knows. Undefined when there is none. */
  read(urlPath: string, request: Request): Promise<Response | undefined>;
}

/** The files of the page as they were built, compressed when they are first asked for. */
export function openPageFiles(dir: string): PageFiles {
  const packed = new Map<string, { changedMs: number; bytes: Buffer }>();
  const packedOf = async (file: string, changedMs: number): Promise<Buffer> => {
    const known = packed.get(file);
    if (known?.changedMs === changedMs) return known.bytes;
    const bytes = await compress(await fs.promises.readFile(file));
    packed.set(file, { changedMs, bytes });
    return bytes;
  };
  return {
    async read(urlPath, request) {
      const file = fileOf(dir, urlPath);
      const stat = file === undefined ? undefined : fs.statSync(file, { throwIfNoEntry: false });
      if (file === undefined || !stat?.isFile()) return undefined;
      const headers = new Headers({
        "Content-Type": contentTypes[path.extname(file)] ?? "application/octet-stream",
        // A file under assets/ has the sum of its content in its name.
        "Cache-Control": urlPath.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
        Vary: "Accept-Encoding",
      });
      const isPacked =
        /\bbr\b/.test(request.headers.get("accept-encoding") ?? "") && !/\.(png|woff2|ico)$/.test(file);
      if (isPacked) headers.set("Content-Encoding", "br");
      const bytes = isPacked ? await packedOf(file, stat.mtimeMs) : await fs.promises.readFile(file);
      return new Response(new Uint8Array(bytes), { headers });
    },
  };
}

// Plain names only, none hidden: nothing leads out of the folder. What has no ending is an address of the page.
function fileOf(dir: string, urlPath: string): string | undefined {
  const names = urlPath.split("/").filter((name) => name !== "");
  const last = names.at(-1);
  if (last === undefined || !last.includes(".") || !isNamed(last)) return path.join(dir, "index.html");
  if (!names.every((name) => /^[\w-][\w.-]*$/.test(name))) return undefined;
  return path.join(dir, ...names);
}

// `/sessions/a.b` is an address; `/assets/a.js` is a file.
function isNamed(name: string): boolean {
  return Object.hasOwn(contentTypes, path.extname(name));
}
