/**
 * Owns the review of what a task changed in its folder: the difference since it began, and comments that go back to it as one
 * message. Never changes a file.
 */
export type { ReviewComment } from "./review-message.ts";
