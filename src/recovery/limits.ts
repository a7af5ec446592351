/** A manifest file that is larger is rotated: a launch is about 700 bytes, so this is some thousands. */
export const manifestFileBytesMax: number = 4 * 1024 * 1024;
/** A compressed manifest unpacks to no more than this: it was over the limit by a few lines when it was put aside. */
export const rotatedManifestBytesMax: number = 16 * 1024 * 1024;
/** How much of a project's manifest is read, from its end: more than a thousand launches, in some milliseconds. */
export const manifestReadBytesMax: number = 1024 * 1024;
/** One manifest line: two paths of 4 KiB and short texts. A longer one is no line of ours. */
export const manifestLineBytesMax: number = 32 * 1024;
/** A manifest that nobody wrote to for so long is compressed; no writer keeps one open for a day. */
export const manifestPlainAgeMsMax: number = 24 * 60 * 60 * 1000;
/** Compressed manifests are kept this long; whoever asks what ran last quarter still finds it. */
export const manifestAgeMsMax: number = 90 * 24 * 60 * 60 * 1000;
/** All old manifests together; beyond it the oldest go first. */
export const manifestTotalBytesMax: number = 256 * 1024 * 1024;
/** Launches of a project that recovery looks at, newest first; older ones are history, not news. */
export const recoveredLaunchesMax = 500;
/** News of older launches is no news. */
export const recoveredAgeMsMax: number = 7 * 24 * 60 * 60 * 1000;
/** Characters of a final answer that the manifest and the brief keep; the rest is in the output file. */
export const resultPreviewLengthMax = 600;
/** What is read from the end of an agent's transcript to find its answer: longer answers than this are very rare. */
export const transcriptTailBytesMax: number = 64 * 1024;
/** And from the end of a command's output: its last lines, and what the client adds. */
export const outputTailBytesMax: number = 8 * 1024;
/** Characters of a brief: the client moves texts over 10,000 into a file, and others add theirs. */
export const briefLengthMax = 7500;
/** Things of one sort that a brief names; the rest it counts. */
export const briefItemsMax = 12;
/** Processes of the machine whose open files are looked at, to find who still writes an output. */
export const scannedProcessesMax = 20_000;
/** So long after its beginning a background session may still be taking over the work of the one that it was moved from. */
export const movingMsMax: number = 30 * 1000;
/** What is read of a session's transcript, from its end, to see what its client has told it. */
export const toldBytesMax: number = 16 * 1024 * 1024;
/** A command's shell starts at most so long before its launch is recorded: a hook on a machine that hangs. */
export const launchDelayMsMax: number = 15 * 1000;
/** Transcripts that are read to see who was told; beyond them an ending may be told again in the stead of its own session. */
export const toldTranscriptsMax = 8;
/** Of what a session was told before, so much is looked at again when it is asked for. */
export const seenItemsMax = 50;
/** A manifest that was written to more recently is not noted as quiet: the note is dated a second after it. */
export const quietAfterMs = 3000;
