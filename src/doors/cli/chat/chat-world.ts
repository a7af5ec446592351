import type { Runtime } from "../../../runtime/index.ts";
import type { ThreadsRequest } from "../../../runtime/threads.ts";

/** Everything that the chat works with, given to it once. */
export interface ChatWorld extends ThreadsRequest {
  runtime: Runtime;
  /** Who stops a task, for its ending. */
  userName: string;
  /** The folder as people write it. */
  folder: string;
  /** The environment of an editor that is started. */
  variables: Readonly<Record<string, string | undefined>>;
}
