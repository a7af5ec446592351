/** Characters of one answer: far more than its tokens make, so that only a server gone mad reaches it. */
export const answerLengthMax: number = 16 * 1024 * 1024;
/**
 * Bytes of one event of the stream, or of a response that is none. An event is a few words, rarely a whole document. The SDK
 * copies what it has of a line with each piece that comes, so a larger one would cost minutes.
 */
export const answerEventBytesMax: number = 4 * 1024 * 1024;
/** Blocks of one answer: a model that uses a hundred tools at once is rare. */
export const answerBlocksMax = 1000;
/** A request that failed for a passing reason is made again so often; with the delays below that is about six minutes. */
export const apiRetriesMax = 10;
/** Delay before the first retry; it doubles with each, up to the other. */
export const apiRetryDelayMs = 500;
export const apiRetryDelayMsMax = 60_000;
/** A server that asks to wait longer than this means a used-up budget, not a busy minute. */
export const apiRetryAfterMsMax: number = 10 * 60 * 1000;
/** A stream without a byte for so long is dead: a living one is sent pings. */
export const answerSilenceMsMax: number = 5 * 60 * 1000;
