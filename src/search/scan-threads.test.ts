import os from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TranscriptBuilder, tempDir, waitFor } from "../../test/support/index.ts";
import { scanThreadBytesMin } from "../store/limits.ts";
import { parseQuery } from "./parse-query.ts";
import type { ScanResult } from "./scan-matches.ts";
import { ScanThreads } from "./scan-threads.ts";
import { shareScan, takeBatches, type SharedScan } from "./shared-scan.ts";

let threads: ScanThreads;

beforeEach(() => {
  threads = new ScanThreads();
  threads.startFor(scanThreadBytesMin);
});

afterEach(async () => {
  await threads.close();
});

const request = {
  wanted: { kind: "query", query: parseQuery("needle") },
  filter: {},
  matchesMax: 10,
} as const;

function shareThree(): SharedScan {
  const dir = tempDir();
  const parts = ["/p", "/q", "/r"].map((cwd) => {
    const builder = new TranscriptBuilder({ cwd, seed: cwd });
    builder.prompt("where the needle is");
    const { path } = builder.write(dir);
    return { path, from: 0, to: 1_000_000 };
  });
  return shareScan(request, parts);
}

function totalOf(results: readonly ScanResult[]): number {
  return results.reduce((sum, { total }) => sum + total, 0);
}

const nothing: ScanResult = { matches: [], total: 0 };

describe.skipIf(os.availableParallelism() < 2)("ScanThreads.scan()", () => {
  test("gives what other threads found", async () => {
    const shared = shareThree();
    const [here, ...others] = await threads.scan(shared, async () => {
      await waitFor(() => Atomics.load(shared.taken, 0) > shared.batches.length);
      return nothing;
    });
    expect(here).toBe(nothing);
    expect(totalOf(others)).toBe(3);
    expect(others.flatMap(({ matches }) => matches)).toHaveLength(3);
  });

  test("finds everything once, also when this thread is done before others have begun", async () => {
    const shared = shareThree();
    expect(totalOf(await threads.scan(shared, () => takeBatches(shared)))).toBe(3);
  });

  test("fails when another thread does", async () => {
    const shared = shareScan(request, [{ path: "no\0file", from: 0, to: 1 }]);
    const failed = threads.scan(shared, async () => {
      await waitFor(() => Atomics.load(shared.taken, 0) > 0);
      return nothing;
    });
    await expect(failed).rejects.toThrow(/null bytes/);
  });
});
