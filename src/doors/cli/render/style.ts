/** The few ways text is set off. Without colour each returns its text. */
export interface Style {
  bold: (text: string) => string;
  dim: (text: string) => string;
  italic: (text: string) => string;
  underline: (text: string) => string;
  red: (text: string) => string;
  green: (text: string) => string;
  yellow: (text: string) => string;
  magenta: (text: string) => string;
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
    italic: wrap(3, 23),
    underline: wrap(4, 24),
    red: wrap(31, 39),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    magenta: wrap(35, 39),
    cyan: wrap(36, 39),
  };
}

/** Whether it sets nothing off. */
export function isPlain(style: Style): boolean {
  return style.dim("x") === "x";
}
