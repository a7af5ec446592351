/**
 * Every limit of Holdfast, with its unit last in the name and the reason it has that value.
 * A flat list on purpose: one place to look, nothing computed at a distance.
 */

// Names and paths

/** The client cuts a project key here and adds a hash; readers compare only this much. */
export const projectKeyLengthMax = 200;
/** NAME_MAX of every common file system; a longer component cannot exist on disk. */
export const nameBytesMax = 255;

// Ids

/** Longest id accepted from outside: ours are under 20, `<name>@<team>` ids are made of two names. */
export const idLengthMax = 128;
/** Random characters in a new task id: 36^8 is 2.8e12, so a collision check practically never repeats. */
export const taskIdRandomLength = 8;
/** Hex digits in a new agent id, as the client has them since 2.1.50. */
export const agentIdRandomLength = 16;
/** Draws before a new task id is given up: reaching it means the id source or `isTaken` is broken. */
export const taskIdAttemptsMax = 100;

// Lines and values

/** Hard cap of one JSONL line. Real lines reach 2.1 MB; V8 strings end at 512 MiB, so half of that parses. */
export const lineBytesMax: number = 256 * 1024 * 1024;
/** A title is one line of a list; longer ones are text somebody pasted. */
export const titleLengthMax = 200;
/** A tag is a word or two. */
export const tagLengthMax = 64;
/** Characters of a prompt that lists and manifests show. */
export const promptPreviewLengthMax = 200;
/** Characters of a task's name: it is typed, and stands in a column of a table. */
export const taskNameLengthMax = 64;
/** Characters of a task's description inside a summary; a whole script is sometimes given as one. */
export const taskDescriptionLengthMax = 500;
/** Characters of a notification's summary: a description, its frame, and a reason of failure. */
export const notificationSummaryLengthMax = 2000;
/** Characters of a task's result inside a notification; the rest is in the output file. */
export const notificationResultLengthMax = 100_000;

// The store

/** First piece looked at from the end of a transcript, for each entry asked for. */
export const tailLinesPerEntry: number = 9 / 8;
/** And so many more: what belongs to the first entry may stand before it. */
export const tailLinesMin = 8;
/** The next piece, and the most that the first may be: a few lines may be very long. Doubled until it suffices. */
export const tailBytesPerEntry: number = 6 * 1024;
/** A file up to this is read whole: less would cost the same. */
export const tailRegionBytes: number = 128 * 1024;
/** Up to this a piece at the end is parsed whole, which a process that has just started does faster than skimming. */
export const tailParseBytesMax: number = 16 * 1024 * 1024;
/** Bytes queued for one write before appends write at once: a burst must not fill memory. */
export const appendQueueBytesMax: number = 64 * 1024 * 1024;
/** Lines that a follower remembers to find its place again after the client cut the tail. */
export const followedLinesMax = 256;
/** A watch can miss a change (network mounts, an exhausted inotify table); a size check this often cannot. */
export const followCheckMs = 1000;

// The command line

/** Sessions listed in a window when no limit is asked for; a pipe gets all. */
export const sessionsShownMax = 50;
/** Things read ahead while a tool call waits for its result; beyond, it is shown without one. */
export const resultLookaheadMax = 500;
/** Characters of a tool's input or result in an exported page; the JSON export holds all of them. */
export const exportedResultLengthMax = 20_000;
/** Text collected for one search for secrets: far fewer calls than one an entry, little enough to hold. */
export const redactionBatchLength: number = 512 * 1024;

/** Things said and done that a conversation of the chat keeps for the screen; all of them are in its transcript. */
export const chatItemsMax = 500;
/** Earlier prompts that the chat offers on arrow-up: more nobody scrolls through. */
export const chatHistoryMax = 200;
/** Characters of a prompt that is typed or pasted: a longer text is better read from a file, piece by piece. */
export const chatPromptLengthMax = 200_000;

// Shell tasks

/** One argument of a process holds 128 KiB on Linux; the command is one, so it must stay below. */
export const taskCommandBytesMax: number = 120 * 1024;
/** Tasks of one home that run at once; agents have been seen to start hundreds by mistake. */
export const concurrentTasksMax = 200;
/** Output of one task before it is ended (or its head is cut): large enough for honest builds, small enough for disks. */
export const taskOutputBytesMax: number = 16 * 1024 * 1024 * 1024;
/** Output of all ended tasks together; beyond it the oldest are evicted. */
export const totalOutputBytesMax: number = 64 * 1024 * 1024 * 1024;
/** Ended tasks are kept this long. */
export const endedTaskAgeMsMax: number = 30 * 24 * 60 * 60 * 1000;
/** Between TERM and KILL, unless the caller says otherwise. */
export const stopGraceMs = 5000;
/** After KILL a process is gone in moments; one that is not (a stuck mount) is reported, not waited for. */
export const stopKillWaitMs = 10_000;
/** What one read of an output gives at most: its head and its tail, as much as a model can use. */
export const outputReadBytesMax = 30_000;
/** States of a compiled filter: each costs a step a character, and this many filter 30 KB in well under a second. */
export const filterProgramSizeMax = 500;
/** How long TaskOutput waits by default and at most. */
export const taskOutputTimeoutMs = 30_000;
export const taskOutputTimeoutMsMax = 600_000;
/** A watch can miss an ending; this often one looks, and whether the supervisor still lives. */
export const taskCheckMs = 1000;
/** Ended tasks that are taken into the index in one transaction: some milliseconds, for which other writers wait. */
export const endedTasksAtOnce = 500;
/** So often the index of ended tasks is compared with the names in all task folders; 50,000 tasks take a quarter of a second. */
export const taskWalkAgeMsMax: number = 24 * 60 * 60 * 1000;
/** Characters of the last line of a task's output that lists have: no window is wider. */
export const lastLineLengthMax = 500;
/** Tasks listed in a window when ended ones are asked for without a limit; a pipe gets all. */
export const tasksShownMax = 50;
/** A watched list is drawn at most this often: faster than this nobody reads. */
export const watchRedrawMs = 200;
/** Output kept for one who is attached to a terminal and does not read it; then he is cut off. */
export const terminalClientBytesMax: number = 4 * 1024 * 1024;
/** Columns or rows of a terminal: more than any screen has, less than a program would choke on. */
export const terminalSizeMax = 10_000;
/** A command that has not read its input for this long is not about to. */
export const sendWaitMs = 5000;
/** How long the host of a task's terminal may take to start; on a loaded machine Node needs seconds. */
export const terminalHostStartMs = 10_000;
/** The ending's place on the disk, made at launch. */
export const endingBytesReserved = 512;
/** A resident launcher pays off above this memory: starting a process blocks in proportion to it. */
export const residentLauncherRssBytes: number = 128 * 1024 * 1024;

// Agents

/** Agents of one home that run at once in processes of their own: each is a Node process of some 60 MB. */
export const concurrentAgentsMax = 50;
/** Agents that start agents that start agents: deeper has only been seen by mistake. */
export const agentDepthMax = 3;
/** A prompt is one line of a transcript; beyond this it is a file that somebody pasted. */
export const agentPromptBytesMax: number = 10 * 1024 * 1024;
/** Activities that the progress of an agent shows. */
export const agentActivitiesMax = 5;
/** Characters of one activity or of the summary: a line of a list. */
export const agentActivityLengthMax = 200;
/** To-dos that the progress of an agent keeps; a longer list is read in the transcript. */
export const agentTodosMax = 200;
/** Progress is written at most this often, and after the last message in any case. */
export const agentProgressMs = 250;
/** What a runner may take to end once it is told; less than the grace of a stop, so that its ending is still written. */
export const agentAbortMs = 3000;
/** Bytes of one message sent to a running agent. */
export const agentMessageBytesMax: number = 1024 * 1024;
/** Messages waiting for one agent: more than it could ever read between two turns. */
export const agentMessagesMax = 1000;
/** A watch can miss an answer; this often one looks. */
export const permissionCheckMs = 1000;
/** How long an agent that is stopped in its own process may take; its embedder may be busy. */
export const inProcessStopMs = 15_000;
/** How long AgentOutput, the older form of TaskOutput, waits by default and at most. */
export const agentOutputWaitSeconds = 150;
export const agentOutputWaitSecondsMax = 300;

// Agents that are programs of their own

/** One line of such an agent: pictures in base64 take megabytes, more than this is a fault. */
export const agentLineBytesMax: number = 64 * 1024 * 1024;
/** The end of its stderr that an error quotes: where programs say why they gave up. */
export const agentStderrTailBytes = 4096;
/** Events that wait to be recorded before the agent is no longer read: it then waits, instead of filling memory. */
export const agentEventsQueuedMax = 1000;
/** Time to answer the first requests of the protocol; a cold start on a loaded machine takes tens of seconds. */
export const agentStartMs = 120_000;
/** Time to end after it was told to, before it is killed with all that it started. */
export const agentStopGraceMs = 5000;
/** An agent that has ended has said everything within this; only a child of its own still holds the pipe. */
export const agentDrainMs = 1000;
/** Largest text file that is read for an agent, whole or by lines. */
export const agentFileBytesMax: number = 64 * 1024 * 1024;
/** Output of a terminal that is kept for an agent, its end; the agent may ask for less. */
export const agentTerminalBytesMax: number = 1024 * 1024;
/** Terminals that an agent has at a time; each is a process. */
export const agentTerminalsMax = 100;
/** Characters of an earlier conversation that are told again to an agent which has lost it, its newest part. */
export const retoldConversationLengthMax = 200_000;
/** An agent type is a page of text; a larger file is something else. */
export const agentTypeBytesMax: number = 256 * 1024;
/** Agent types in one folder: more are a folder that was put there by mistake. */
export const agentTypesMax = 1000;

// Companions

/** Largest companion that is read whole (a to-do list, a plan, settings); real ones are kilobytes. */
export const companionBytesMax: number = 16 * 1024 * 1024;
/** Largest file that diff compares and undo restores: both sides are held in memory, one file at a time. */
export const trackedFileBytesMax: number = 64 * 1024 * 1024;
/** Two versions that take longer to compare share next to nothing; the answer is then "too different". */
export const diffTimeoutMs = 2000;
/** Prompts that one read of the history returns unless more are asked for: what a person scrolls through. */
export const promptHistoryLimit = 1000;
/** History is read backwards in pieces of this size, so that the newest prompts of a long one cost little. */
export const promptHistoryPieceBytes: number = 256 * 1024;
/** A lock of the client that was not touched for so long has no living holder: it is refreshed far more often. */
export const clientLockStaleMs = 10_000;
/** Names tried for one large output before giving up: each means another output in the same millisecond. */
export const largeOutputNamesMax = 10;
/** Bytes of a large output that one read returns; the rest is read by offset. */
export const largeOutputReadBytesMax: number = 1024 * 1024;
/** Longest part of a tool's name in a file name, so that the name with its date fits every file system. */
export const largeOutputToolLengthMax = 100;

// Recovery and hooks

/** PATH_MAX of Linux: a longer path cannot be opened. */
export const pathLengthMax = 4096;
/** A manifest file that is larger is rotated: a launch is about 700 bytes, so this is some thousands. */
export const manifestFileBytesMax: number = 4 * 1024 * 1024;
/** How long a client may take from its start until it has told a hook of its session. */
export const hookStartMsMax: number = 60 * 1000;
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
/** Input of a hook that is read; a tool's answer may be far larger, but no launch is. */
export const hookInputBytesMax: number = 8 * 1024 * 1024;
/** A hook that has not got its input by then gives up: the client waits for it. */
export const hookInputWaitMs = 5000;
/** The log of what went wrong in hooks; then it begins anew, and the last one is kept beside it. */
export const hookLogBytesMax: number = 256 * 1024;
/** How long a hook that is to wake an idle session waits for a task; the client's own limit is the same. */
export const wakeWaitMs: number = 10 * 60 * 1000;
/** The guard that keeps sessions runs at a start of a session, if it did not for this long. */
export const keepIntervalMs: number = 24 * 60 * 60 * 1000;
/** Processes of the machine whose open files are looked at, to find who still writes an output. */
export const scannedProcessesMax = 20_000;
/** What `wait` of the MCP server waits at most: clients give a call up after a minute. */
export const mcpWaitMsMax = 50_000;

// The anthropic runner and its tools

/** Tokens of one answer: every current model allows them, and few answers are longer. */
export const answerTokensMax = 32_000;
/** Characters of one answer: far more than its tokens make, so that only a server gone mad reaches it. */
export const answerLengthMax: number = 16 * 1024 * 1024;
/** A request that failed for a passing reason is made again so often; with the delays below that is about six minutes. */
export const apiRetriesMax = 10;
/** Delay before the first retry; it doubles with each, up to the other. */
export const apiRetryDelayMs = 500;
export const apiRetryDelayMsMax = 60_000;
/** A server that asks to wait longer than this means a used-up budget, not a busy minute. */
export const apiRetryAfterMsMax: number = 10 * 60 * 1000;
/** A stream without a byte for so long is dead: a living one is sent pings. */
export const answerSilenceMsMax: number = 5 * 60 * 1000;
/** Times in a row that a model may pause, or run into its token limit inside a tool use, before the run ends. */
export const unfinishedAnswersMax = 5;
/** How long a command of the Bash tool may take by default and at most. */
export const commandTimeoutMs = 120_000;
export const commandTimeoutMsMax = 600_000;
/** Between TERM and KILL for a command that is interrupted: the person waits. */
export const commandGraceMs = 2000;
/** Of each stream of a command: its head and its tail. */
export const commandOutputBytesMax = 30_000;
/** What a command's own children may still print after it ended; then nobody waits for them. */
export const commandDrainMs = 200;
/** Lines that one Read gives unless fewer are asked for, and characters of one line. */
export const readLinesMax = 2000;
export const readLineLengthMax = 2000;
/** Characters that one Read gives at most, about 25,000 tokens. */
export const readTextLengthMax = 100_000;
/** Largest file that Read and Edit take; it is held in memory, some times over. */
export const editedFileBytesMax: number = 32 * 1024 * 1024;
/** The API takes images of 5 MB in base64. */
export const imageBytesMax = 3_750_000;
/** Characters of a file that the result of an edit repeats; a longer one is left out. */
export const originalFileLengthMax = 100_000;
/** Characters of a file before and after a change that are compared for the result; beyond, it has no hunks. */
export const patchedTextLengthMax = 1_000_000;
/** Tool uses of one message that run at the same time. */
export const concurrentToolsMax = 10;
/** Files that Glob and Grep name, and lines that Grep shows, unless another number is asked for. */
export const foundFilesMax = 100;
export const foundLinesMax = 500;
/** Files and folders that one search looks at. */
export const walkedEntriesMax = 200_000;
/** Larger files are data, not sources; Grep's own search passes them over and says so. */
export const searchedFileBytesMax: number = 8 * 1024 * 1024;
/** What Grep's own search reads in all: seconds of reading, and more than any sources have. */
export const searchedTotalBytesMax: number = 512 * 1024 * 1024;

// The fleet

/** Logs are spread over at most so many streams; on one disk more than one only costs. */
export const logShardsMax = 16;
/** Largest message of the server: what NATS recommends at most. A larger transcript line goes to the object store. */
export const logEventBytesMax: number = 8 * 1024 * 1024;
/** Events of one session's log; beyond it a run ends rather than filling the servers' disks. */
export const logEventsMax = 200_000;
/** Kept free of them, so that a run whose log is full can still say how it ended. */
export const logEventsReserved = 100;
/** Logs and session states are kept this long unless they are purged before. */
export const logAgeMsMax: number = 30 * 24 * 60 * 60 * 1000;
/** Controls (cancel, steer, answers) matter only to a run that goes on. */
export const controlAgeMsMax: number = 7 * 24 * 60 * 60 * 1000;
/** A run is a worker's for this long after its last sign of life: longer than a cluster needs for an election. */
export const runLeaseMs = 30_000;
/** Signs of life within a lease: five may be lost before the run goes to another worker. */
export const leaseBeatsPerLease = 6;
/** Without a confirmed write for this long, a worker asks whether the run is still its own before it uses a tool. */
export const unconfirmedMsMax = 20_000;
/** Runs that no worker has taken yet, and leases that the server keeps. */
export const queuedRunsMax = 100_000;
export const leasedRunsMax = 20_000;
/** Claims in a row that recorded nothing: the run itself ends its workers, so it is failed. */
export const fruitlessClaimsMax = 5;
/** The server remembers ids of messages this long, to notice one that was sent twice. */
export const duplicateWindowMs: number = 2 * 60 * 1000;
/** How long one request to the server may take before it is asked again. */
export const fleetRequestMs = 2000;
/** Between two pings; after two without an answer the connection counts as lost. */
export const fleetPingMs = 2000;
/** First connection: long enough for a cluster that is just electing, short enough for a person who mistyped an address. */
export const fleetConnectMs = 10_000;
/** A follower that has heard nothing for this long looks whether it has missed something. */
export const logSilenceMs = 5000;
/** Events read from a log in one request. */
export const logBatchMax = 256;
/** Live events held for a follower that is slower than the writer; then it reads them from the log. */
export const liveEventsMax = 1024;
/** A worker says this often that it is there; the list forgets it after three times that. */
export const workerBeatMs = 10_000;
/** Runs that one worker takes at once. */
export const workerSlotsMax = 1000;
/** A workspace on its way: larger ones are cloned from their remote instead. */
export const bundleBytesMax: number = 512 * 1024 * 1024;
/** Workspaces are kept as long as the logs they belong to. */
export const bundleChunkBytes: number = 512 * 1024;
/** Files of a workspace: beyond this it is no checkout but somebody's home. */
export const bundleFilesMax = 200_000;
/** Links of a workspace that may have some: each one's target is asked of git by itself. */
export const bundleLinksMax = 1000;
/** Names of what was left out of a kept workspace, for people: the first ones tell what it is about. */
export const leftOutMax = 20;
/** A workspace is kept this often while its agent changes it: so much work on files a dead worker loses at most. */
export const workspaceCheckpointMs = 10_000;
/** A run tells how far it is this often; each time is a message that is kept. */
export const fleetProgressMs = 5000;
/** A watched overview of the fleet is asked for this often. */
export const fleetStatusMs = 1000;
/** How long a stop may take that goes over the fleet to a worker: as long as the worker's lease, and some. */
export const remoteStopMs = 45_000;
/** Time for one git command on a workspace; a large history takes minutes on a slow disk. */
export const gitTimeoutMs: number = 10 * 60 * 1000;
/** What is fetched for a nats-server: the package list is 11 MB, the package 6 MB. */
export const serverPackageBytesMax: number = 64 * 1024 * 1024;
export const serverFetchTimeoutMs: number = 2 * 60 * 1000;
/** A server that has just been started tells within this time that it is well; a cluster elects in some seconds. */
export const serverStartMs = 60_000;

// The archive

/** Content of one frame of a packed file: what a reader unpacks, and holds, to see a byte of it. */
export const packedFrameBytesMax: number = 4 * 1024 * 1024;
/** Small files share a frame of this much content: to unpack it takes under a millisecond, and it packs as well as a large one. */
export const packedGroupBytes: number = 256 * 1024;
/** Content of a pack: about a second of work, which a kill costs at most. A larger session has a pack of its own. */
export const packBytesMax: number = 64 * 1024 * 1024;
/** Files of a pack: so many sessions are named in one frame, whatever their names are. */
export const packItemsMax = 2000;
/** Files of one archived session; real ones have some hundreds (file history, sub-agents, spilled outputs). */
export const archiveItemsMax = 100_000;
/** Sessions are kept this long before the client would delete them: somebody runs the guard once a week. */
export const keepMarginMsMax: number = 7 * 24 * 60 * 60 * 1000;

// Usage and search

/** A large transcript is read in pieces of this size, so that every core has some of it. */
export const scanPieceBytes: number = 16 * 1024 * 1024;
/** What a thread of a search takes at a time: so little that all threads end within milliseconds of each other. */
export const scanBatchBytes: number = 4 * 1024 * 1024;
/** So much is looked through before others get their turn on the same thread. */
export const scanTurnBytes: number = 2 * 1024 * 1024;
/** Below this, starting another thread takes longer than reading. */
export const scanThreadBytesMin: number = 24 * 1024 * 1024;
/** Characters of one block (an answer, a tool's output) that search sees: half from its beginning, half from its end. */
export const searchedBlockLengthMax: number = 64 * 1024;
/** Bytes of transcripts that are prepared for the index at a time, and become one transaction. */
export const indexPieceBytes: number = 2048 * 1024;
/** What a search takes into the index on its way out, so that the next one finds it there: a fraction of a second. */
export const indexedBySearchBytesMax: number = 4 * 1024 * 1024;
/** Ended tasks whose words become one transaction of the index: a fraction of a second. */
export const tasksWordedAtOnce = 500;
/** The end of what a task printed that search sees: where it says how it went. */
export const taskTailSearchedBytes: number = 32 * 1024;
/** Characters of a query: more than anybody types, less than its parentheses can overwhelm the one who reads it. */
export const queryLengthMax = 2000;
/** Having looked through more than this, a search says that an index would help. */
export const scanHintBytesMin: number = 100 * 1024 * 1024;
/** How far before its result the call of a tool is looked for: they mostly stand next to each other. */
export const toolLookBackBytesMax: number = 16 * 1024 * 1024;
/** How long a process waits for another that writes to the index; a transaction takes a fraction of a second. */
export const indexBusyMs = 10_000;
/** Hits that a search gives when no limit is asked for: what a person looks through. */
export const searchHitsMax = 20;
/** Best matches by words alone that are ranked again by age; what is not among them is not shown, unless more are asked for. */
export const rankedMatchesMax = 500;
/** Characters around a match that a hit shows. */
export const snippetLengthMax = 240;
/** Rows of a usage report in a window; a pipe gets all. */
export const usageRowsShownMax = 40;

// Health

/** Places in a damaged line at which an entry is looked for: each costs a look at the rest of the line. */
export const salvageAttemptsMax = 1000;
/** Rounds of mending a transcript: lines, links, tool uses, and what those bring to light. */
export const repairPassesMax = 8;
/** How long sessions are examined unless all are asked for; the rest is said to be unexamined. */
export const examineTimeMsMax = 60_000;
/** Defects remembered of one transcript; a file that is damaged throughout is known to be so by then. */
export const defectsKeptMax = 200;
/** Watches that one user should have: an editor alone uses some thousands. */
export const inotifyWatchesMin = 8192;
/** Instances of them: each process that watches has one. */
export const inotifyInstancesMin = 64;
/** Below this a session of average size no longer fits, and below the second not even an ending. */
export const diskFreeBytesWarn: number = 1024 * 1024 * 1024;
export const diskFreeBytesFail: number = 64 * 1024 * 1024;
/** Clocks of a machine and of its network disks differ by so much without anybody noticing. */
export const clockSkewMsMax: number = 5 * 60 * 1000;
/** A hook that failed longer ago was mended, or nobody misses it. */
export const hookFailureAgeMsMax: number = 3 * 24 * 60 * 60 * 1000;
/** Trash, undo copies and backups of repairs are kept this long: nobody looks for something older there. */
export const keptItemAgeMsMax: number = 30 * 24 * 60 * 60 * 1000;
/** And take no more than this together. */
export const keptItemsBytesMax: number = 16 * 1024 * 1024 * 1024;
