// A small program of somebody else, which knows the package by its public types only. It is compiled, never run.
import { HoldfastError, openRuntime, type Entry, type Runner, type Runtime } from "holdfast";
import { connectFleet, type FleetAddress } from "holdfast/fleet";
import { entrySchema, parseTaskId } from "holdfast/format";
import { runHook, type HookWorld } from "holdfast/hooks";
import { openMcpServer } from "holdfast/mcp";
import { anthropicRunner, findAgents } from "holdfast/runners";

export async function lastPrompts(runtime: Runtime): Promise<string[]> {
  const sessions = await runtime.sessions.list({ limit: 10 });
  return sessions.flatMap(({ firstPrompt }) => (firstPrompt === undefined ? [] : [firstPrompt]));
}

export async function entriesOf(runtime: Runtime, sessionId: string): Promise<readonly Entry[]> {
  const session = await runtime.sessions.find(sessionId);
  const { entries } = await runtime.sessions.readConversation(session, { last: 200 });
  return entries;
}

/** A runner of the embedder's own. */
export const echo: Runner = async function* (request) {
  yield { kind: "user", message: { role: "user", content: request.prompt } };
  return { reason: "done" };
};

export const model: Runner = anthropicRunner({ model: "claude-sonnet-4-5" });

export function codeOf(error: unknown): string | undefined {
  return error instanceof HoldfastError ? error.code : undefined;
}

export async function serve(home: string, configDir: string): Promise<void> {
  const runtime = openRuntime({ home, configDir });
  const server = openMcpServer({ runtime, version: "1", cwd: "/", sessionId: undefined });
  await server.close();
  await runtime.close();
}

export async function overFleet(address: FleetAddress, world: HookWorld): Promise<unknown> {
  const connection = await connectFleet(address, { name: "embedder" });
  await connection.nc.flush();
  await connection.close();
  const answer = await runHook("{}", world);
  return [answer.output, findAgents, parseTaskId("b1"), entrySchema.safeParse({})];
}
