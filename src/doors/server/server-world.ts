import type { Runtime } from "../../runtime/index.ts";
import type { LiveTasks } from "../../tasks/live/live-tasks.ts";
import type { OpenStreams } from "./events/open-streams.ts";
import type { Access } from "./access/access.ts";

/** What every route answers from. */
export interface ServerWorld {
  runtime: Runtime;
  version: string;
  /** Of this server's life. */
  instance: string;
  /** The folder in which the server was started. */
  cwd: string;
  /** Who acts here, as records name it: `dashboard:anna`. */
  by: string;
  userName: string;
  access: Access;
  /** Every task, kept current. */
  live: LiveTasks;
  /** The readers of events. */
  streams: OpenStreams;
  /** Aborted when the server ends. */
  ending: AbortSignal;
}
