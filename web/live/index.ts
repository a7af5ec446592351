/**
 * Owns what the page hears from the server while it is open: one stream a browser, which the tab that leads reads and hands
 * on to the others, and the newest row of every task that was heard of. Never asks for a list, and shows nothing.
 */
export { connection, startLive } from "./hub.ts";
export { onEvent } from "./event-bus.ts";
export { counts, liveRow, noteRows } from "./live-rows.ts";
export { answeredOf, dismissQuestion, questions, startQuestions } from "./live-questions.ts";
export { watchConversation, watchOutput } from "./watches.ts";
