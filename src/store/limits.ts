/** A title is one line of a list; longer ones are text somebody pasted. */
export const titleLengthMax = 200;
/** A tag is a word or two. */
export const tagLengthMax = 64;
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
/** Ends of other branches that are named: enough to look at one; who wants all reads every line. */
export const leavesNamedMax = 10;
/** Lines that a follower remembers to find its place again after the client cut the tail. */
export const followedLinesMax = 256;
/** A watch can miss a change (network mounts, an exhausted inotify table); a size check this often cannot. */
export const followCheckMs = 1000;
/** A large transcript is read in pieces of this size: every core has some of it, and others get a turn after each. */
export const scanPieceBytes: number = 4 * 1024 * 1024;
/** Below this, starting another thread takes longer than reading. */
export const scanThreadBytesMin: number = 24 * 1024 * 1024;
