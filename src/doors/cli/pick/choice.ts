import { formatAge } from "../../../lib/quantities.ts";
import type { Page } from "../render/style.ts";
import { renderTable, type TableColumn } from "../render/table.ts";

/** Something that can be chosen from a list. Its texts are safe for a terminal. */
export interface Choice {
  /** What is given to the command. */
  id: string;
  shownId: string;
  atMs: number;
  status: string;
  where: string;
  what: string;
  /** Its end, as many lines as there may be room for. */
  preview: (page: Page) => Promise<string[]>;
}

/** Those in which every word that was typed occurs. */
export function matching(choices: readonly Choice[], typed: string): Choice[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ id, status, where, what }) => {
    const text = `${id} ${status} ${where} ${what}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A title line, then a line for each. A status that all have, also those out of sight, says nothing and is left out. */
export function choiceTable(
  shown: readonly Choice[],
  { all, ...page }: Page & { all: readonly Choice[] },
): string[] {
  const now = new Date();
  const statuses = new Set(all.map(({ status }) => status));
  const columns: TableColumn<Choice>[] = [
    { title: "ID", value: ({ shownId }) => shownId, paint: "cyan" },
    { title: "AGE", value: ({ atMs }) => formatAge(atMs, now), isRight: true, dropOrder: 1 },
    ...(statuses.size > 1
      ? [{ title: "STATUS", value: ({ status }: Choice): string => status, dropOrder: 2 }]
      : []),
    { title: "IN", value: ({ where }) => where, widthMin: 10, isPath: true, dropOrder: 3, paint: "dim" },
    { title: "WHAT", value: ({ what }) => what, widthMin: 16 },
  ];
  return [...renderTable(shown, columns, page)];
}
