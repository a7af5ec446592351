import { changeVerbs } from "./run-changes.ts";
import { conversationStreams, conversationVerbs } from "./run-conversation.ts";
import { findingVerbs } from "./run-finding.ts";
import { sessionVerbs } from "./run-sessions.ts";
import type { AsideVerbs } from "./verbs.ts";
import type { AsideWorld, RunStreams, RunVerbs } from "./world.ts";

const verbs: RunVerbs<keyof AsideVerbs> = {
  ...sessionVerbs,
  ...conversationVerbs,
  ...changeVerbs,
  ...findingVerbs,
};
const streams: RunStreams = conversationStreams;

/** Does what was asked. Only `open-aside` asks, whose types say what each verb takes. */
export async function runVerb(world: AsideWorld, verb: string, asked: unknown): Promise<unknown> {
  return verbs[verb as keyof AsideVerbs](world, asked as never);
}

export function runStream(world: AsideWorld, stream: string, asked: unknown): AsyncGenerator {
  return streams[stream as keyof RunStreams](world, asked as never);
}
