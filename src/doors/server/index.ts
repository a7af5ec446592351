/**
 * Owns the HTTP door: the routes of `api/`, and the server that answers them on one address of this machine.
 * Never holds a rule about tasks or sessions (the runtime has those), never reads what is large in its own thread.
 */
export type { Api, ErrorAnswer, RouteName, ServerEvents, WatchBody } from "./api/index.ts";
