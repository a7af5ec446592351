import type { ServerEvents } from "../../src/doors/server/api/index.ts";

type Name = keyof ServerEvents;
type Handler<Key extends Name> = (data: ServerEvents[Key]) => void;

const handlers = new Map<string, Set<Handler<never>>>();

/** Calls `handler` with every event of this name, from now on. Returns what ends that. */
export function onEvent<Key extends Name>(name: Key, handler: Handler<Key>): () => void {
  const all = handlers.get(name) ?? new Set();
  handlers.set(name, all);
  all.add(handler);
  return () => all.delete(handler);
}

export function tell(name: string, data: unknown): void {
  for (const handler of handlers.get(name) ?? []) (handler as (data: unknown) => void)(data);
}
