/** The thread that launches: what it is asked for it starts, one beside the other, and says what became of it. */
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../../lib/clock.ts";
import { HoldfastError } from "../../../lib/errors.ts";
import type { TaskErrorCode } from "../../errors.ts";
import type { LaunchAnswer, LaunchAsked, LaunchThreadOptions } from "./launch-thread.ts";
import { processStarter } from "./process-starter.ts";
import { startShell } from "./start-shell.ts";

const { home, env } = workerData as LaunchThreadOptions;
const { start } = processStarter(env);

parentPort?.on("message", ({ number, request }: LaunchAsked) => {
  const answer = (said: LaunchAnswer): void => parentPort?.postMessage(said, []);
  startShell({ home, env, clock: systemClock, start }, request).then(
    (launched) => answer({ number, launched }),
    (error: unknown) => answer({ number, refused: told(error) }),
  );
});

function told(error: unknown): Extract<LaunchAnswer, { refused: unknown }>["refused"] {
  if (!(error instanceof HoldfastError)) return { message: String(error) };
  const { code, message, retryable, fields } = error;
  return { code: code as TaskErrorCode, message, retryable, fields };
}
