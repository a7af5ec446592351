import type { Suggestion } from "../../../lib/suggestion.ts";

/** What every route answers when it cannot do what was asked: the same for all, with the status of HTTP beside it. */
export interface ErrorAnswer {
  error: {
    /** As docs/errors.md lists them. Codes of the server itself: `no_token`, `wrong_origin`, `too_large`, … */
    code: string;
    /** What could not be done, why, and what to do next: one sentence for people. */
    message: string;
    /** What helps, with the command line that does the same. */
    next?: Suggestion & { command: string };
    [field: string]: unknown;
  };
}

/** A part of a long list: `from` and `limit` of the query, in the order of the whole list. */
export interface PageQuery {
  from?: number;
  limit?: number;
}

export interface Done {
  done: true;
}
