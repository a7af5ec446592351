import { parentPort, workerData } from "node:worker_threads";
import type { ThreadedUpdate, ThreadMessage } from "./update-in-thread.ts";
import { updateWords } from "./update-words.ts";

// The program of the thread that updates the index.
const { configDir, home, isRebuild } = workerData as ThreadedUpdate;
const say = (message: ThreadMessage): void => parentPort!.postMessage(message, []);
const outcome = await updateWords(
  { configDir, home, onUnreadable: (dir, error) => say({ kind: "unreadable", dir, error }) },
  { isRebuild, onProgress: (progress) => say({ kind: "progress", progress }) },
);
say({ kind: "ended", outcome });
