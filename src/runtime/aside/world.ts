import type { KeptTranscripts, RowsQuery } from "../../conversation/rows/kept-transcripts.ts";
import type { SessionRef } from "../../store/list/find-session.ts";
import type { Runtime } from "../open-runtime.ts";
import type { Variables } from "../places.ts";
import type { AsideStreams, AsideVerbs, ConversationAsked, SessionAsked, TranscriptAsked } from "./verbs.ts";

/** What a verb works with, in the thread. */
export interface AsideWorld {
  runtime: Runtime;
  kept: KeptTranscripts;
  /** The environment of the programs that it runs. */
  env: Variables;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

export type RunVerbs<Names extends keyof AsideVerbs> = {
  [Name in Names]: (
    world: AsideWorld,
    asked: AsideVerbs[Name]["asked"],
  ) => Promise<AsideVerbs[Name]["answer"]>;
};

export type RunStreams = {
  [Name in keyof AsideStreams]: (
    world: AsideWorld,
    asked: AsideStreams[Name]["asked"],
  ) => AsyncGenerator<AsideStreams[Name]["piece"]>;
};

export async function sessionAsked({ runtime }: AsideWorld, asked: SessionAsked): Promise<SessionRef> {
  return runtime.sessions.named(asked.session, { project: asked.project });
}

/** The transcript that is asked for: the session's, or that of one of its sub-agents. */
export async function transcriptAsked(world: AsideWorld, asked: TranscriptAsked): Promise<SessionRef> {
  const session = await sessionAsked(world, asked);
  return asked.agent === undefined ? session : world.runtime.sessions.agent(session, asked.agent);
}

export async function rowsAsked(world: AsideWorld, asked: ConversationAsked): Promise<RowsQuery> {
  const { agent, view = "whole", leaf } = asked;
  return { session: await transcriptAsked(world, asked), isAgent: agent !== undefined, view, leaf };
}
