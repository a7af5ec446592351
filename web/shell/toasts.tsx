import { signal } from "@preact/signals";
import { ApiError } from "../api/api-error.ts";
import { Icon } from "../parts/icon.tsx";

interface Toast {
  id: number;
  text: string;
  isError: boolean;
  action?: { label: string; run: () => void } | undefined;
}

const toasts = signal<Toast[]>([]);
let lastId = 0;
const SHOWN_MS = { word: 3500, action: 10_000, error: 9000 };

/** Says in a corner what was done, with what undoes it or goes on. */
export function say(text: string, action?: Toast["action"]): void {
  show({ text, isError: false, action }, action ? SHOWN_MS.action : SHOWN_MS.word);
}

export function sayError(error: unknown): void {
  const text = error instanceof ApiError || error instanceof Error ? error.message : String(error);
  show({ text, isError: true }, SHOWN_MS.error);
}

function show(toast: Omit<Toast, "id">, ms: number): void {
  const id = ++lastId;
  toasts.value = [...toasts.peek().slice(-3), { id, ...toast }];
  setTimeout(() => remove(id), ms);
}

function remove(id: number): void {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isError, action }) => (
        <div class={`toast ${isError ? "is-error" : ""}`} key={id}>
          <span class="any">{text}</span>
          {action && (
            <button
              type="button"
              class="button"
              onClick={() => {
                action.run();
                remove(id);
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="button is-quiet is-icon" aria-label="Close" onClick={() => remove(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
