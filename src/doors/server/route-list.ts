import type { Route } from "./route.ts";
import { aboutRoutes } from "./routes/about.ts";
import { answeringRoutes } from "./routes/answering.ts";
import { enteringRoutes } from "./routes/entering.ts";
import { nowRoutes } from "./routes/now.ts";
import { startingRoutes } from "./routes/starting.ts";
import { taskActionRoutes } from "./routes/task-actions.ts";
import { taskOutputRoutes } from "./routes/task-output.ts";
import { taskRoutes } from "./routes/tasks.ts";

/** Every route that is answered. One file an idea in `routes/`; a new one is added here. */
export const routes: readonly Route[] = [
  ...aboutRoutes,
  ...enteringRoutes,
  ...nowRoutes,
  ...answeringRoutes,
  ...startingRoutes,
  ...taskRoutes,
  ...taskOutputRoutes,
  ...taskActionRoutes,
];
