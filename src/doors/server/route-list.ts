import type { Route } from "./route.ts";
import { aboutRoutes } from "./routes/about.ts";
import { enteringRoutes } from "./routes/entering.ts";

/** Every route that is answered. One file an idea in `routes/`; a new one is added here. */
export const routes: readonly Route[] = [...aboutRoutes, ...enteringRoutes];
