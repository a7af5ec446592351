/** Sessions listed in a window when no limit is asked for; a pipe gets all. */
export const sessionsShownMax = 50;
/** Tasks listed in a window when ended ones are asked for without a limit; a pipe gets all. */
export const tasksShownMax = 50;
/** A watched list is drawn at most this often: faster than this nobody reads. */
export const watchRedrawMs = 200;
/** What a client tells a status line; it tells a few hundred bytes. */
export const statusInputBytesMax: number = 8 * 1024 * 1024;
/** Ended and running tasks that a shell offers: to choose among more, somebody asks `ps -a`. */
export const tasksCompletedMax = 40;
/** Sessions that a shell offers. */
export const sessionsCompletedMax = 40;
