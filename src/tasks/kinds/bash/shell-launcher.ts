import { residentLauncherRssBytes } from "../../../format/limits.ts";
import { systemClock } from "../../../lib/clock.ts";
import type { LaunchContext } from "../../launch-task.ts";
import type { LaunchedTask } from "./launch-shell.ts";
import type { LaunchThread } from "./launch-thread.ts";
import type { ShellRequest } from "./shell-request.ts";
import type { startShell } from "./start-shell.ts";

/** Launches the commands of one process: the first itself if it is small, what follows from a thread of their own. */
export class ShellLauncher {
  readonly #context: LaunchContext;
  #starting: Promise<{ startShell: typeof startShell }> | undefined;
  #thread: Promise<LaunchThread> | undefined;
  #launches = 0;

  constructor(context: LaunchContext) {
    this.#context = context;
  }

  async launch(request: ShellRequest): Promise<LaunchedTask> {
    const isLarge = process.memoryUsage.rss() >= residentLauncherRssBytes;
    // A thread knows no clock but the system's.
    if ((++this.#launches > 1 || isLarge) && this.#context.clock === systemClock)
      return (await (this.#thread ??= this.#openThread())).launch(request);
    const starting = await (this.#starting ??= import("./start-shell.ts"));
    return starting.startShell(this.#context, request);
  }

  close(): void {
    void this.#thread?.then((thread) => thread.close());
    this.#thread = undefined;
  }

  async #openThread(): Promise<LaunchThread> {
    const { LaunchThread } = await import("./launch-thread.ts");
    const { home, env } = this.#context;
    return new LaunchThread({ home, env: { ...env } });
  }
}
