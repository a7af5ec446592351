import path from "node:path";
import type { ServerSearch } from "../../fleet/server/find-nats-server.ts";

/** Where a nats-server is looked for, and where a fetched one is kept. */
export function serverSearch({
  userHome,
  variables,
}: {
  userHome: string;
  variables: Readonly<Record<string, string | undefined>>;
}): ServerSearch {
  return {
    named: variables["HOLDFAST_NATS_SERVER"] || undefined,
    searchPath: variables["PATH"],
    cacheDir: path.join(variables["XDG_CACHE_HOME"] || path.join(userHome, ".cache"), "holdfast"),
  };
}
