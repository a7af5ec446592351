/**
 * Owns the HTTP door: the routes of `api/`, and the server that answers them on one address of this machine.
 * Never holds a rule about tasks or sessions (the runtime has those), never reads what is large in its own thread.
 *
 * `routes/` has the handlers, one file an idea; `route-list` names them all. `dispatch` checks path, query and body.
 */
export type { Api, ErrorAnswer, RouteName, ServerEvents, WatchBody } from "./api/index.ts";
export { serveDashboard, type Dashboard, type DashboardOptions } from "./serve-dashboard.ts";
