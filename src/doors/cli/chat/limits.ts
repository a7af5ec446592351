/** Things said and done that a conversation of the chat keeps for the screen; all of them are in its transcript. */
export const chatItemsMax = 500;
/** Earlier prompts that the chat offers on arrow-up: more nobody scrolls through. */
export const chatHistoryMax = 200;
/** Characters of a prompt that is typed or pasted: a longer text is better read from a file, piece by piece. */
export const chatPromptLengthMax = 200_000;
/** Changes of a prompt that can be taken back. */
export const editsUndoneMax = 100;
/** What is offered to complete a word: more nobody scrolls through. */
export const completionsMax = 50;
/** Characters of a tool's result that are shown when it is unfolded; what is longer is in the transcript. */
export const unfoldedLengthMax = 200_000;

/** Bytes: V8 doubles the room, so it is 32 MiB then. A chat is no slower with them than with 128. */
export const youngObjectsBytesMax = 32e6;
