import type { EventRoutes } from "./event-routes.ts";
import type { HouseRoutes } from "./house-routes.ts";
import type { NowRoutes } from "./now-routes.ts";
import type { SessionRoutes } from "./session-routes.ts";
import type { TaskRoutes } from "./task-routes.ts";

/** Every route by its name: `METHOD /path/{parameter}`. */
export interface Api extends NowRoutes, TaskRoutes, SessionRoutes, HouseRoutes, EventRoutes {}

export type RouteName = keyof Api;
