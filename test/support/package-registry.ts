import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PackageRegistry extends AsyncDisposable {
  readonly url: string;
}

/** A registry of npm on loopback that has one package of ours; whatever else is asked for is the configured registry's. */
export async function startRegistry(tarball: string): Promise<PackageRegistry> {
  const bytes = fs.readFileSync(tarball);
  const read = ["xzOf", tarball, "package/package.json"];
  const manifest = JSON.parse(execFileSync("tar", read, { encoding: "utf8" })) as {
    name: string;
    version: string;
  };
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const others = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const server = createServer((request, response) => {
    const own = `http://${request.headers.host}/`;
    if (request.url === `/${name}`) {
      const versions = { [version]: { ...manifest, dist: { integrity, tarball: `${own}${name}.tgz` } } };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ name, "dist-tags": { latest: version }, versions }));
    } else if (request.url === `/${name}.tgz`) response.end(bytes);
    else
      passOn(new URL(`.${request.url}`, others), response, (text) => text.replaceAll(others, own)).catch(
        (error: unknown) => response.destroy(error as Error),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function passOn(url: URL, response: ServerResponse, change: (text: string) => string): Promise<void> {
  const answer = await fetch(url);
  const isPackage = answer.headers.get("content-type")?.includes("json") ?? false;
  response.statusCode = answer.status;
  response.end(isPackage ? change(await answer.text()) : Buffer.from(await answer.arrayBuffer()));
}
