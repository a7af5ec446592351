/** Tokens of one answer: every current model allows them, and few answers are longer. */
export const answerTokensMax = 32_000;
/** Times in a row that a model may pause, or run into its token limit inside a tool use, before the run ends. */
export const unfinishedAnswersMax = 5;
/** Tool uses of one message that run at the same time. */
export const concurrentToolsMax = 10;
