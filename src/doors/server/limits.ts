/** Bytes of a body: the longest prompt or review that somebody types or pastes. */
export const bodyBytesMax: number = 1024 * 1024;
