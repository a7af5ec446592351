import path from "node:path";
import type { BenchContext } from "../measure.ts";
import { fetchPeer, type Peer } from "../peers.ts";
import type { DashboardProgram } from "./dashboard-program.ts";

/** CloudCLI, also known as Claude Code UI: a list of sessions and the sessions, in a browser. It knows no tasks. */
export function cloudCliProgram({ cacheDir }: BenchContext): { peer: Peer; program: DashboardProgram } {
  const peer = fetchPeer({
    name: "@cloudcli-ai/cloudcli",
    version: "1.37.3",
    cacheDir,
    beside: [`@vscode/ripgrep-${process.platform}-${process.arch}@1.18.0`],
    // It asks for 12, which is compiled when it is installed; this has what was compiled in it.
    overrides: { "better-sqlite3": "13.2.0" },
  });
  const server = path.join(peer.dir, "dist-server", "server", "index.js");
  return {
    peer,
    program: {
      argv: () => [process.execPath, server],
      envOf: ({ userHome }, port) => ({
        HOST: "127.0.0.1",
        SERVER_PORT: String(port),
        DATABASE_PATH: path.join(userHome, "cloudcli.db"),
        NODE_ENV: "production",
      }),
      // Its first page asks for a name and a password, and then for those of git: given here, as the page does.
      async enter(origin) {
        const { token } = (await send(`${origin}/api/auth/register`, {
          body: { username: "bench", password: "bench-bench" },
        })) as { token: string };
        const headers = { authorization: `Bearer ${token}` };
        await send(`${origin}/api/user/complete-onboarding`, { body: {}, headers });
        return { headers, script: `localStorage.setItem("auth-token", ${JSON.stringify(token)});` };
      },
      async countSessions(origin, { headers }) {
        const answer = await fetch(`${origin}/api/projects`, { headers });
        const projects = (await answer.json()) as { sessionMeta: { total: number } }[];
        return projects.reduce((sum, { sessionMeta }) => sum + sessionMeta.total, 0);
      },
      listPath: "/",
      sessionPath: (sessionId) => `/session/${sessionId}`,
    },
  };
}

async function send(
  url: string,
  { body, headers = {} }: { body: object; headers?: Record<string, string> },
): Promise<unknown> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`Cannot let a browser into CloudCLI: ${await answer.text()}`);
  return answer.json();
}
