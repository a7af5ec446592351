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
