/** The few ways text is set off. Without colour each returns its text. */
export interface Style {
  bold: (text: string) => string;
  dim: (text: string) => string;
  red: (text: string) => string;
  green: (text: string) => string;
  yellow: (text: string) => string;
  cyan: (text: string) => string;
}

/** How wide a text may be, and how it is set off. */
export interface Page {
  columns: number;
  style: Style;
}

export function makeStyle({ hasColor }: { hasColor: boolean }): Style {
  const wrap = (open: number, close: number) => (text: string) =>
    hasColor && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    red: wrap(31, 39),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    cyan: wrap(36, 39),
  };
}
