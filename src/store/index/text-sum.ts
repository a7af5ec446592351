/**
 * A number for the text of a column, in SQL, to be added up over a table. SQLite has no hash of texts; length and ends
 * change with nearly any accident.
 */
export function textSum(column: string): string {
  return `length(${column}) + 3 * unicode(${column}) + 7 * unicode(substr(${column}, -1))`;
}
