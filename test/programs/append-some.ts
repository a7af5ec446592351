// Appends so many entries to a session, or to one of its agents, through the store, and ends.
//   append-some.ts CONFIG_DIR HOME CWD COUNT SESSION_ID [AGENT_ID]
import { openSessionStore } from "../../src/store/index.ts";

const [configDir, home, cwd, count, sessionId, agentId] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string?,
];
const store = openSessionStore({ configDir, home });
const writer = await store.openWriter({
  cwd,
  sessionId,
  durability: "sync",
  ...(agentId && { agentId }),
});
for (let n = 0; n < Number(count); n += 5) {
  const group = Array.from({ length: 5 }, (_, k) => ({
    role: "user",
    content: `${agentId ?? "main"} ${n + k}`,
  }));
  await Promise.all(group.map((message) => writer.append({ type: "user", message })));
}
await writer.close();
