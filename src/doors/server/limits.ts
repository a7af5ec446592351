/** Bytes of a body: the longest prompt or review that somebody types or pastes. */
export const bodyBytesMax: number = 1024 * 1024;
/** Time to receive a whole request. A body that never ends is given up then. */
export const requestMsMax: number = 30_000;
/** Time to receive the headers of a request: who is slower only holds a connection. */
export const headersMsMax: number = 10_000;
/** Connections that are answered: six of each tab and what programs open. */
export const connectionsMax: number = 256;
/** Connections that are taken at all; those above `connectionsMax` are told so. */
export const connectionsTakenMax: number = 1100;
/** Time that open answers have to end when the server ends. */
export const closeMsMax: number = 2000;
/** How long a browser stays known: a month. */
export const cookieMsMax: number = 30 * 24 * 60 * 60 * 1000;
/** Browsers that are known at a time; more come only from a script that asks anew each time. */
export const browsersMax: number = 100;
/** Time to open an address with a code: a browser that starts on a busy machine. */
export const codeMsMax: number = 60_000;
/** A connection that asks nothing is kept so long for its next request. */
export const keepAliveMs: number = 5000;
/** Where the dashboard is unless somebody says otherwise; another port is taken when it is in use. */
export const usualPort: number = 4747;
/** Rows of a list unless somebody asks for more: some screens. */
export const listedAtOnce: number = 100;
/** And at most: half a megabyte. */
export const listedAtOnceMax: number = 1000;
/** Searches through outputs at once; each is a thread. */
export const searchesAtOnce: number = 8;
/** A comment comes this often when there is nothing to tell, so that a reader sees that the connection lives. */
export const heartbeatMs: number = 15_000;
/** Characters of events that are handed over at once. */
export const sentAtOnceLength: number = 64 * 1024;
/** Readers of events: one for each browser, and some programs. */
export const streamsMax: number = 32;
/** Counts are told at most this often: many tasks may start or end together. */
export const countsMs: number = 100;
/** So often a watched output is looked at: twice in what a person calls at once. */
export const outputLookMs: number = 25;
/** And so often when nothing has come for a while. */
export const outputLookIdleMs: number = 75;
/** Bytes of one event of an output: what a page draws at once. */
export const outputSentBytes: number = 64 * 1024;
/** A reader that is so far behind an output goes on near its end. */
export const outputBehindBytes: number = 256 * 1024;
/** So often it is looked for sessions that have changed. */
export const sessionsLookMs: number = 2000;
/** The newest sessions, of which changes are told. */
export const sessionsToldMax: number = 100;
