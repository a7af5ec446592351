import type { TaskCardData } from "./task-card.ts";

/** The record of the task, as it stands on the disk. */
export function TaskRecord({ card: { details } }: { card: TaskCardData }) {
  return (
    <div class="page record" tabIndex={0} role="region" aria-label="Record">
      <dl class="facts record-facts">
        {Object.entries(details)
          .filter(([, value]) => value !== null && value !== undefined)
          .map(([key, value]) => (
            <RecordLine key={key} name={key} value={value} />
          ))}
      </dl>
    </div>
  );
}

function RecordLine({ name, value }: { name: string; value: unknown }) {
  return (
    <>
      <dt class="mono">{name}</dt>
      <dd class="mono any record-value">
        {typeof value === "string" ? value : JSON.stringify(value, null, 2)}
      </dd>
    </>
  );
}
