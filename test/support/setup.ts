// Loaded by vitest before every test file. Hooks run as a stack, so these see the state after a test's own.
import { afterAll, afterEach, beforeEach } from "vitest";
import { findLeaks, snapshotProcess, type ProcessSnapshot } from "./leaks.ts";
import { removeTempDirs, tempDirsOf, useTempDirScope } from "./temp-dir.ts";

// Closing and reaping may need a turn of the event loop, or, for a killed child, the kernel's while.
const LEAK_GRACE_MS = 3000;

let before: ProcessSnapshot;

beforeEach(() => {
  useTempDirScope("test");
  before = snapshotProcess();
});

afterEach(async () => {
  const leaks = await findLeaks(before, { dirs: tempDirsOf("test"), graceMs: LEAK_GRACE_MS });
  removeTempDirs("test");
  useTempDirScope("file");
  if (leaks.length > 0) throw new Error(`The test left behind: ${leaks.join("; ")}`);
});

afterAll(() => removeTempDirs("file"));
