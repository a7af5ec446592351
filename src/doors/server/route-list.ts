import type { Route } from "./route.ts";
import { aboutRoutes } from "./routes/about.ts";
import { answeringRoutes } from "./routes/answering.ts";
import { conversationRoutes } from "./routes/conversations.ts";
import { enteringRoutes } from "./routes/entering.ts";
import { findingRoutes } from "./routes/finding.ts";
import { houseRoutes } from "./routes/house.ts";
import { eventRoutes } from "./routes/events.ts";
import { nowRoutes } from "./routes/now.ts";
import { openApiRoute } from "./routes/openapi.ts";
import { reviewRoutes } from "./routes/reviews.ts";
import { sessionChangeRoutes } from "./routes/session-changes.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { startingRoutes } from "./routes/starting.ts";
import { taskActionRoutes } from "./routes/task-actions.ts";
import { taskOutputRoutes } from "./routes/task-output.ts";
import { taskRoutes } from "./routes/tasks.ts";

/** Every route that is answered. One file an idea in `routes/`; a new one is added here. */
export const routes: readonly Route[] = [
  ...aboutRoutes,
  ...enteringRoutes,
  openApiRoute(() => routes),
  ...nowRoutes,
  ...eventRoutes,
  ...answeringRoutes,
  ...startingRoutes,
  ...taskRoutes,
  ...taskOutputRoutes,
  ...taskActionRoutes,
  ...reviewRoutes,
  ...sessionRoutes,
  ...conversationRoutes,
  ...sessionChangeRoutes,
  ...findingRoutes,
  ...houseRoutes,
];
