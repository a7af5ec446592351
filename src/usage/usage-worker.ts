import { serveJobs } from "../lib/thread-pool.ts";
import { scanUsage } from "./scan-usage.ts";

// The program of a scanning thread.
serveJobs(scanUsage);
