import os from "node:os";
import type { Runtime } from "../../../runtime/index.ts";
import type { AboutView } from "../api/now-routes.ts";
import { defineRoute, type Route } from "../route.ts";

export const aboutRoutes: Route[] = [
  defineRoute("GET /api/about", {
    summary: "The server, its home, and what is set up",
    async answer({ world: { runtime, version, instance, cwd, userName } }) {
      return {
        version,
        instance,
        home: runtime.home,
        configDir: runtime.configDir,
        host: os.hostname(),
        platform: process.platform,
        userName,
        cwd,
        plugin: await pluginState(runtime),
        fleet: await runtime.fleet.isKnown(),
      };
    },
  }),
];

// Settings of the client that cannot be read say nothing of the plugin.
async function pluginState({ plugin }: Runtime): Promise<AboutView["plugin"]> {
  try {
    return (await plugin.status()).isInstalled ? "installed" : "absent";
  } catch {
    return "unknown";
  }
}
