import os from "node:os";
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
        plugin: "unknown",
        fleet: false,
      };
    },
  }),
];
