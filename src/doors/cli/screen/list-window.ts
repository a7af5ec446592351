/** What of a list fits into so many rows, with the selected one among them. */
export function listWindow({ count, selected, room }: { count: number; selected: number; room: number }): {
  first: number;
  end: number;
} {
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), count - room));
  return { first, end: Math.min(count, first + room) };
}
