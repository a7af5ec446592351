/**
 * Owns what is done aside: in threads of this process, so that a server's own thread is never held up by a large transcript, a
 * long list or a search. Never holds a rule of its own: each verb calls the room that it is about.
 *
 * `verbs.ts` names what can be asked, `run-*` do it in the thread, `aside-thread` speaks with one, `open-aside` has two of
 * them: one for what a person waits for, one for what takes long.
 */
export type { Aside } from "./open-aside.ts";
export type { AsideStreams, AsideVerbs } from "./verbs.ts";
