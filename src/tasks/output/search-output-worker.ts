import { parentPort, workerData } from "node:worker_threads";
import { searchOutput, type OutputQuery } from "./search-output.ts";

// The program of a thread that looks through one output. Whoever gives the search up terminates it.
const { file, query } = workerData as { file: string; query: OutputQuery };
searchOutput(file, query, (found) => parentPort!.postMessage(found, []));
