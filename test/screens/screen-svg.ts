import { styledRuns, themes, type Run, type Theme } from "./styled-runs.ts";

/** A screen, and for how long a picture that moves shows it. */
export interface Frame {
  lines: readonly string[];
  ms: number;
}

export type { Theme };

const CELL = { width: 8.4, height: 18 };
const MARGIN = 14;

/** Screens as an SVG picture; of several, one after the other, for ever. Browsers show it without a script. */
export function screenSvg(
  frames: readonly Frame[],
  { columns, rows }: { columns: number; rows: number },
  theme: Theme = "dark",
): string {
  const width = Math.ceil(columns * CELL.width + 2 * MARGIN);
  const height = Math.ceil(rows * CELL.height + 2 * MARGIN);
  const totalMs = frames.reduce((sum, { ms }) => sum + ms, 0);
  let beginMs = 0;
  const shown = frames.map(({ lines, ms }) => {
    const texts = styledRuns(lines, theme).flatMap(lineText).join("\n");
    if (frames.length === 1) return texts;
    const from = beginMs / totalMs;
    beginMs += ms;
    const animation = visibility(from, beginMs / totalMs, totalMs);
    return `<g visibility="hidden">${animation}\n${texts}</g>`;
  });
  const font = `font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${font}>
<rect width="100%" height="100%" rx="8" fill="${themes[theme].background}"/>
${shown.join("\n")}
</svg>
`;
}

// Visible from one share of the whole time to another.
function visibility(from: number, to: number, totalMs: number): string {
  const times = [0, from, to].map((time) => time.toFixed(5));
  return `<animate attributeName="visibility" dur="${totalMs}ms" repeatCount="indefinite" calcMode="discrete" values="hidden;visible;hidden" keyTimes="${times.join(";")}"/>`;
}

function lineText(runs: readonly Run[], row: number): string[] {
  const top = MARGIN + row * CELL.height;
  const drawn: string[] = [];
  for (const run of runs) {
    const x = MARGIN + run.column * CELL.width;
    const width = run.cells * CELL.width;
    if (run.background !== undefined)
      drawn.push(
        `<rect x="${round(x)}" y="${round(top)}" width="${round(width)}" height="${CELL.height}" fill="${run.background}"/>`,
      );
    if (run.text.trim() !== "") drawn.push(runText(run, { x, y: top + 0.75 * CELL.height, width }));
  }
  return drawn;
}

function runText(run: Run, { x, y, width }: { x: number; y: number; width: number }): string {
  const bold = run.isBold ? ' font-weight="bold"' : "";
  const faint = run.isFaint ? ' opacity="0.6"' : "";
  const place = `x="${round(x)}" y="${round(y)}" textLength="${round(width)}"`;
  return `<text ${place} fill="${run.colour}"${bold}${faint}>${escaped(run.text)}</text>`;
}

function round(pixels: number): string {
  return String(Math.round(pixels * 10) / 10);
}

// Browsers draw spaces at the ends, and several in a row, only where they may not break there.
function escaped(text: string): string {
  const shown = text.replaceAll(" ", "\u00a0");
  return shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
