// An update of one task in a state that is never changed but copied, as interface libraries have it:
// spread-state.mjs TASKS UPDATES
import { report } from "./report.mjs";

const [size, count] = process.argv.slice(2).map(Number);
const task = (number) => ({
  id: `b${number.toString(36).padStart(8, "0")}`,
  kind: "local_bash",
  status: "completed",
  description: "echo done",
  startedAt: "2026-01-01T00:00:00.000Z",
});
const ids = Array.from({ length: size }, (_, number) => task(number).id);
let state = { tasks: Object.fromEntries(ids.map((id, number) => [id, task(number)])) };

const update = (number) => {
  const id = ids[number % size];
  state = { ...state, tasks: { ...state.tasks, [id]: { ...state.tasks[id], status: "running" } } };
};
for (let number = 0; number < count; number++) update(number);

let totalMs;
await report({
  work: () => {
    const started = performance.now();
    for (let number = 0; number < count; number++) update(number);
    totalMs = performance.now() - started;
  },
  figuresOf: () => ({ updateMs: totalMs / count }),
  resultOf: () => Object.keys(state.tasks).length,
});
