import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/support/index.ts";
import { openPageFiles } from "./page-files.ts";

test("openPageFiles() serves files compressed, the page for its own addresses, and nothing else", async () => {
  const dir = tempDir();
  fs.mkdirSync(path.join(dir, "assets"));
  const code = "export const one = 1;\n".repeat(100);
  fs.writeFileSync(path.join(dir, "index.html"), "<title>page</title>");
  fs.writeFileSync(path.join(dir, "assets", "a-1.js"), code);
  fs.writeFileSync(path.join(path.dirname(dir), "secret.json"), "{}");
  const files = openPageFiles(dir);
  const read = (url: string, headers: Record<string, string> = {}): Promise<Response | undefined> =>
    files.read(url, new Request("http://127.0.0.1/", { headers }));
  const script = await read("/assets/a-1.js");
  expect(await script!.text()).toBe(code);
  expect(script!.headers.get("cache-control")).toContain("immutable");
  const packed = await read("/assets/a-1.js", { "Accept-Encoding": "gzip, br" });
  expect(packed!.headers.get("content-encoding")).toBe("br");
  expect((await packed!.arrayBuffer()).byteLength).toBeLessThan(code.length / 10);
  for (const address of ["/", "/tasks/b1", "/sessions/a.b", "/search"]) {
    const page = await read(address);
    expect([address, await page?.text()]).toEqual([address, "<title>page</title>"]);
    expect(page!.headers.get("cache-control")).toBe("no-cache");
  }
  for (const address of [
    "/assets/b.js",
    "/../secret.json",
    "/assets/../../secret.json",
    "/.hidden.js",
    "/a\0.js",
  ])
    expect([address, await read(address)]).toEqual([address, undefined]);
  // A page that was built anew is served at once.
  fs.writeFileSync(path.join(dir, "assets", "a-1.js"), "new");
  fs.utimesSync(path.join(dir, "assets", "a-1.js"), new Date(0), new Date(0));
  const again = await read("/assets/a-1.js", { "Accept-Encoding": "br" });
  expect((await again!.arrayBuffer()).byteLength).toBeLessThan(20);
});
