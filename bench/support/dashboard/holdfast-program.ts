import { setTimeout as pause } from "node:timers/promises";
import { installedCommand } from "../installed-command.ts";
import type { BenchContext } from "../measure.ts";
import type { DashboardProgram } from "./dashboard-program.ts";

/** Our own dashboard. */
export function holdfastProgram(context: BenchContext): DashboardProgram {
  const command = installedCommand(context);
  return {
    argv: (port) => [...command, "up", "--no-open", "--port", String(port)],
    envOf: ({ home, configDir }) => ({ HOLDFAST_HOME: home, CLAUDE_CONFIG_DIR: configDir }),
    async enter(_origin, said) {
      // It answers a moment before it says its address.
      while (!said().includes("?token=")) await pause(1);
      const [address] = /http:\/\/\S+/.exec(said())!;
      const answer = await fetch(address);
      await answer.arrayBuffer();
      const [given] = answer.headers.getSetCookie();
      const cookie = given!.split(";")[0]!;
      return { headers: { cookie }, cookie };
    },
    async countSessions(origin, { headers }) {
      const answer = await fetch(`${origin}/api/sessions?limit=1`, { headers });
      return ((await answer.json()) as { total: number }).total;
    },
    listPath: "/sessions",
    sessionPath: (sessionId) => `/sessions/${sessionId}`,
  };
}
