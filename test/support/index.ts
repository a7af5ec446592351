/**
 * What tests share: temporary folders, waiting, the real command, failing file calls, a clock moved by hand,
 * sessions made by code. Knows the product's formats; never stands in for the product's own code (no mocks).
 *
 * I1  Everything made here is gone after the test that made it (setup.ts removes it).
 * I2  A test leaves nothing running: setup.ts fails one that leaves a child, a lease or a descriptor behind.
 */
export { tempDir } from "./temp-dir.ts";
export { threadCount } from "./thread-count.ts";
export { waitFor } from "./wait-for.ts";
export {
  holdfast,
  startHoldfast,
  testHome,
  type HoldfastRun,
  type HoldfastRunOptions,
  type StartedHoldfast,
  type TestHome,
} from "./run-holdfast.ts";
export { requireSharedCorpus, sharedCorpus } from "./shared-corpus.ts";
export { failingFileOps, type FailingFileOps, type FileFault } from "./failing-file-ops.ts";
export { fakeClock, type FakeClock } from "./fake-clock.ts";
export { seededRandom, type SeededRandom } from "./seeded-random.ts";
export { runProgram, startProgram, type Program } from "./start-program.ts";
export { homeWithEdits, type EditedHome } from "./session-with-edits.ts";
export { sampleSession, threeQuestions, type SampleSessionOptions } from "./sample-session.ts";
export { TranscriptBuilder, type SampleEntry, type WrittenSession } from "./transcript-builder.ts";
export {
  startMessagesServer,
  type MessagesRequest,
  type MessagesServer,
  type MessagesStep,
} from "./messages-server.ts";
