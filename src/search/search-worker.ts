import { serveJobs } from "../lib/thread-pool.ts";
import { scanMatches } from "./scan-matches.ts";

// The program of a thread that looks through what is not in the index.
serveJobs(scanMatches);
