import os from "node:os";
import { describe, expect, test } from "vitest";
import { TranscriptBuilder, tempDir, waitFor } from "../../test/support/index.ts";
import { runOnThreads, threadProgram } from "../lib/thread-pool.ts";
import { parseQuery } from "./parse-query.ts";
import type { ScanRequest, ScanResult } from "./scan-matches.ts";

const program = threadProgram("search-worker", import.meta.url);

function jobFor(path: string): ScanRequest {
  const wanted = { kind: "query", query: parseQuery("needle") } as const;
  return { wanted, filter: {}, matchesMax: 10, parts: [{ path, from: 0, to: 1_000_000 }] };
}

describe.skipIf(os.availableParallelism() < 2)("the threads of a search", () => {
  test("give what they found", async () => {
    const dir = tempDir();
    const jobs = ["/p", "/q", "/r"].map((cwd) => {
      const builder = new TranscriptBuilder({ cwd, seed: cwd });
      builder.prompt("where the needle is");
      return jobFor(builder.write(dir).path);
    });
    const found: ScanResult[] = [];
    await runOnThreads<ScanRequest, ScanResult>(jobs, {
      program,
      threads: 2,
      here: async () => {
        await waitFor(() => found.length === 2);
        return { matches: [], total: 0 };
      },
      onResult: (_, result) => void found.push(result),
    });
    expect(found.map(({ total }) => total)).toEqual([1, 1, 0]);
    expect(found.flatMap(({ matches }) => matches)).toHaveLength(2);
  });

  test("fail together when one does", async () => {
    const failed = runOnThreads<ScanRequest, ScanResult>([jobFor("none"), jobFor("no\0file")], {
      program,
      threads: 2,
      here: () => new Promise(() => {}),
      onResult: () => {},
    });
    await expect(failed).rejects.toThrow(/null bytes/);
  });
});
