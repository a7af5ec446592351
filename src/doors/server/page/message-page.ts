/** A page that only says something: it needs no file, and nothing of it runs. */
export function messagePage({
  title,
  lines,
  next,
}: {
  title: string;
  lines: readonly string[];
  /** Where the browser goes on at once. */
  next?: string;
}): string {
  const refresh = next === undefined ? "" : `<meta http-equiv="refresh" content="0;url=${escaped(next)}">`;
  const said = lines.map((line) => `<p>${escaped(line)}</p>`).join("");
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">${refresh}<title>${escaped(title)}</title><style>${STYLE}</style><main><h1>${escaped(title)}</h1>${said}</main></html>`;
}

/** Its style stands in it, and nothing else is loaded. */
export const messagePageCsp: string = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const STYLE =
  "body{font:16px/1.5 system-ui;margin:15vh auto;max-width:60ch;padding:0 1rem}h1{font-size:1.25rem}";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => entities[letter]!);
}
