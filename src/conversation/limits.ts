/** Things read ahead while a tool call waits for its result; beyond, it is shown without one. */
export const resultLookaheadMax = 500;
