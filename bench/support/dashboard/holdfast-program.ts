import { setTimeout as pause } from "node:timers/promises";
import { installedCommand } from "../installed-command.ts";
import type { BenchContext } from "../measure.ts";
import type { DashboardProgram, Entry } from "./dashboard-program.ts";

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
    countSessions: (origin, entry) => totalOf(`${origin}/api/sessions?limit=1`, entry),
    countTasks: (origin, entry) => totalOf(`${origin}/api/tasks?limit=1`, entry),
    listPath: "/sessions",
    sessionPath: (sessionId) => `/sessions/${sessionId}`,
  };
}

async function totalOf(url: string, { headers }: Entry): Promise<number> {
  const answer = await fetch(url, { headers });
  return ((await answer.json()) as { total: number }).total;
}
