import type { Runtime } from "../../../runtime/index.ts";
import type { LiveTasks } from "../../../tasks/live/live-tasks.ts";

/** What of the server's world the streams of events need. */
export interface StreamsWorld {
  runtime: Runtime;
  live: LiveTasks;
  version: string;
  instance: string;
}
