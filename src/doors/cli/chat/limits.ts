/** Things said and done that a conversation of the chat keeps for the screen; all of them are in its transcript. */
export const chatItemsMax = 500;
/** Earlier prompts that the chat offers on arrow-up: more nobody scrolls through. */
export const chatHistoryMax = 200;
/** Characters of a prompt that is typed or pasted: a longer text is better read from a file, piece by piece. */
export const chatPromptLengthMax = 200_000;
