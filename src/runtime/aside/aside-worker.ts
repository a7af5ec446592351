import { parentPort, workerData } from "node:worker_threads";
import { openRuntime } from "../open-runtime.ts";
import { KeptTranscripts } from "../../conversation/rows/kept-transcripts.ts";
import { sentError, type FromThread, type ToThread } from "./message.ts";
import type { AsidePlace } from "./place.ts";
import { runStream, runVerb } from "./run-verb.ts";

// The program of a thread that does things aside.
const { piecesAhead, ...place } = workerData as AsidePlace & { piecesAhead: number };
const runtime = openRuntime(place);
const kept = new KeptTranscripts((session) => runtime.sessions.owed(session));
const say = (message: FromThread): void => parentPort!.postMessage(message, []);

interface Job {
  given: AbortController;
  /** Pieces that may be sent before one is taken. */
  room: number;
  onRoom: () => void;
}
const jobs = new Map<number, Job>();

parentPort!.on("message", (message: ToThread) => {
  const job = jobs.get(message.id);
  if (message.kind === "ask") void answer(message);
  else if (message.kind === "open") void stream(message);
  else if (message.kind === "give-up") {
    job?.given.abort(new Error("Given up"));
    job?.onRoom();
  } else if (job) {
    job.room += message.pieces;
    job.onRoom();
  }
});

async function answer({ id, verb, asked }: Extract<ToThread, { kind: "ask" }>): Promise<void> {
  await doing(id, async ({ given }) => {
    const found = await runVerb({ runtime, kept, env: place.env, signal: given.signal }, verb, asked);
    say({ kind: "answer", id, answer: found });
  });
}

async function stream({ id, stream: name, asked }: Extract<ToThread, { kind: "open" }>): Promise<void> {
  await doing(id, async (job) => {
    const pieces = runStream({ runtime, kept, env: place.env, signal: job.given.signal }, name, asked);
    for await (const piece of pieces) {
      say({ kind: "piece", id, piece });
      job.room--;
      while (job.room <= 0 && !job.given.signal.aborted)
        await new Promise<void>((resolve) => (job.onRoom = resolve));
      if (job.given.signal.aborted) return;
    }
    say({ kind: "end", id });
  });
}

async function doing(id: number, work: (job: Job) => Promise<void>): Promise<void> {
  const job: Job = { given: new AbortController(), room: piecesAhead, onRoom: () => {} };
  jobs.set(id, job);
  try {
    await work(job);
  } catch (error) {
    if (!job.given.signal.aborted) say({ kind: "failed", id, error: sentError(error) });
  } finally {
    jobs.delete(id);
  }
}
