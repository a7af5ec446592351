import { randomUUID } from "node:crypto";
import { dispatchRun } from "holdfast/fleet";

const DISPATCHERS = 16;

/** Dispatches so many runs of an agent that plays `script`, some at a time. */
export async function dispatchRuns(connection, { sessions, script }) {
  let left = sessions;
  const dispatch = async () => {
    while (left-- > 0) await dispatchRun(connection, request(script));
  };
  await Promise.all(Array.from({ length: DISPATCHERS }, dispatch));
}

function request(script) {
  return {
    schemaVersion: 1,
    sessionId: randomUUID(),
    run: 1,
    queue: "default",
    prompt: "say something",
    description: "a bench",
    agent: { runner: { name: "scripted", script }, permission: "allow", limits: {} },
    workspace: { kind: "empty" },
    origin: { host: "bench", user: "bench", cwd: "/" },
    dispatchedAt: new Date().toISOString(),
  };
}
