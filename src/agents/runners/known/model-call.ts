import type { AgentUsage } from "../../../tasks/ports.ts";

/** One request of an agent to its model, as the agent tells of it. */
export interface ModelCall {
  model: string | undefined;
  usage: AgentUsage;
  /** Of an agent whose own transcripts are counted, too: by these its message is known to be the same. */
  ids?: { messageId: string; requestId?: string };
}

/** Which session of an agent, and where it keeps its files. */
export interface OwnSession {
  sessionId: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Opens what an agent keeps of a session itself. Each call returns the requests that it has written since the last one. */
export type ReadCalls = (session: OwnSession) => () => ModelCall[];

/** Counts as an agent tells them; each counts what was cached, or thought, apart or not. */
export interface ToldCounts {
  input: number;
  output: number;
  cacheRead?: number | undefined;
  cacheWrite?: number | undefined;
  thoughts?: number | undefined;
  /** Says which of them are counted within others. */
  total?: number | undefined;
}

/** The same as the Messages API counts: input without what was cached, output with what was thought. */
export function usageOf({
  input,
  output,
  cacheRead = 0,
  cacheWrite = 0,
  thoughts = 0,
  total = input + output + cacheRead + cacheWrite,
}: ToldCounts): AgentUsage {
  const cached = cacheRead + cacheWrite;
  const isApart = (more: number): boolean => total === input + output + more;
  const areThoughtsApart = isApart(cached + thoughts) || (isApart(thoughts) && !isApart(cached));
  const isCacheApart = isApart(cached + thoughts) || isApart(cached);
  return {
    input_tokens: isCacheApart ? input : Math.max(0, input - cached),
    output_tokens: areThoughtsApart ? output + thoughts : output,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  };
}
