/**
 * Owns how the page asks the server: one typed call for every route of the contract, and the addresses of files. Never shows
 * anything, and asks nobody but the server that the page came from.
 */
export { ask, fileUrl, readLines } from "./ask.ts";
export { ApiError } from "./api-error.ts";
export type { Answer, Asked } from "./route-shapes.ts";
