import type { Answer } from "../../api/route-shapes.ts";
import { formatDollars, formatTokens } from "../../../src/lib/quantities.ts";

type Row = Answer<"GET /api/usage">["rows"][number];

const [WIDTH, HEIGHT] = [1000, 160];

/** What each day cost; a day without anything is a gap. */
export function DayChart({ rows }: { rows: readonly Row[] }) {
  const days = daysBetween(rows[0]!.key, rows.at(-1)!.key);
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const most = Math.max(...rows.map(({ costUsd }) => costUsd ?? 0), 1e-9);
  const step = WIDTH / days.length;
  return (
    <figure class="day-chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Cost a day, at most ${formatDollars(most)}`}
      >
        {days.map((day, index) => {
          const row = byDay.get(day);
          const height = row ? Math.max(1.5, ((row.costUsd ?? 0) / most) * (HEIGHT - 4)) : 0;
          return (
            <g key={day}>
              <rect
                x={index * step + step * 0.12}
                y={HEIGHT - height}
                width={step * 0.76}
                height={height}
                class="day-bar"
              />
              <rect x={index * step} y={0} width={step} height={HEIGHT} class="day-hover">
                <title>
                  {row
                    ? `${day}: ${row.costUsd === null ? "cost unknown" : formatDollars(row.costUsd)}, ${formatTokens(row.outputTokens)} output`
                    : `${day}: nothing`}
                </title>
              </rect>
            </g>
          );
        })}
      </svg>
      <figcaption class="third">
        <span>{days[0]}</span>
        <span>{formatDollars(most)} at most</span>
        <span>{days.at(-1)}</span>
      </figcaption>
    </figure>
  );
}

const DAY_MS = 86_400_000;
const DAYS_MAX = 400;

function daysBetween(first: string, last: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)];
  const count = Math.min(Math.round((to - from) / DAY_MS) + 1, DAYS_MAX);
  return Array.from({ length: count }, (_, index) =>
    new Date(to - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}
