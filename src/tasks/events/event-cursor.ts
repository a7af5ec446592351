/**
 * What a reader of events has been told, so that a later process goes on from there. Nobody keeps a log of events: they
 * follow from the files of the tasks. So the cursor names the tasks whose start was told and whose end was not, and the few
 * that had ended shortly before. All others that ended earlier than that are over; all others that run or ended later are
 * new. Times are compared only for tasks that have ended, and with room for those that end in the same moment.
 */
export interface EventCursor {
  /** Everything that had happened by then was seen, in milliseconds; what ended in the last moments before is in `over`. */
  at: number;
  /** The tasks whose end was not told, by id; of some the first of its two events was. */
  open: ReadonlyMap<string, { isUpdated: boolean }>;
  /** Those that ended in the last moments before `at` and need not be told of. */
  over: ReadonlySet<string>;
}

/** How long before `at` an ending may be that nobody had seen by then: a file's time, a watch and a busy machine lag behind. */
export const eventLagMs = 10_000;

/** Short enough to be sent with every event. */
export function formatCursor({ at, open, over }: EventCursor): string {
  const opened = [...open].map(([id, { isUpdated }]) => (isUpdated ? `${id}!` : id));
  return [VERSION, at.toString(36), opened.join(","), [...over].join(",")].join(".");
}

export function parseCursor(text: string): EventCursor {
  const [, at, open = "", over = ""] = pattern.exec(text) ?? [];
  const ids = (list: string): string[] => (list === "" ? [] : list.split(","));
  if (at === undefined || !ids(open).every(isOpenId) || !ids(over).every(isId))
    throw new RangeError(`Cannot continue after ${JSON.stringify(text.slice(0, SHOWN))}: it is not a cursor`);
  return {
    at: Number.parseInt(at, 36),
    open: new Map(ids(open).map((id) => [id.replace("!", ""), { isUpdated: id.endsWith("!") }])),
    over: new Set(ids(over)),
  };
}

const VERSION = "1";
const SHOWN = 80;
// The ids are looked at one by one: a pattern for the whole list may try forever.
const pattern = /^1\.([0-9a-z]{1,11})\.([^.\n]*)\.([^.\n]*)$/;
const isOpenId = (id: string): boolean => /^[\w-]+!?$/.test(id);
const isId = (id: string): boolean => /^[\w-]+$/.test(id);
