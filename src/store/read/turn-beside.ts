import { Flag, type LineTable } from "../line/line-table.ts";

/** A turn that stands beside an error line. */
export interface TurnBeside {
  /** Its last line. */
  last: number;
  /** Other errors of the same request, on which the line hangs. */
  errors: number[];
}

/**
 * Clients 2.1.120 to 2.1.144 wrote an error of a request behind the turn that answered it after all, but hung it on the line
 * before that turn; what was said next hangs on the error. Then the turn is a branch, though nobody went back. Returns the
 * turn: what descends from the line that the error hangs on and stands between the two. Undefined where there is none.
 */
export function turnBeside(
  table: LineTable,
  error: number,
  isVisited: (line: number) => boolean,
): TurnBeside | undefined {
  const errors = new Set<number>();
  let parent = table.parentFor(error);
  while (
    parent !== undefined &&
    table.has(parent, Flag.apiError) &&
    parent !== error &&
    !errors.has(parent)
  ) {
    errors.add(parent);
    parent = table.parentFor(parent);
  }
  if (parent === undefined) return undefined;
  const elsewhere = new Set<number>();
  for (let line = error - 1; line > parent; line--) {
    if (table.uuid[line] === 0 || table.kindOf(line) === "progress") continue;
    if (errors.has(line) || isVisited(line)) continue;
    if (descends(table, line, { from: parent, elsewhere }))
      return { last: line, errors: [...errors].filter((each) => !isVisited(each)) };
  }
  return undefined;
}

// Lines that were climbed over are remembered: from none of them does another climb lead there.
function descends(
  table: LineTable,
  line: number,
  { from, elsewhere }: { from: number; elsewhere: Set<number> },
): boolean {
  let at: number | undefined = line;
  while (at !== undefined && at > from && !elsewhere.has(at)) {
    elsewhere.add(at);
    at = table.parentFor(at);
  }
  return at === from;
}
