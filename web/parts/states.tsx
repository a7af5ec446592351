import type { ComponentChildren } from "preact";
import type { ApiError } from "../api/api-error.ts";
import { CommandLine } from "./copy.tsx";

/** While nothing is known yet: grey lines, so that nothing jumps. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, index) => (
        <div class="skeleton" key={index} style={{ width: `${90 - ((index * 17) % 45)}%` }} />
      ))}
    </div>
  );
}

/** What could not be done, why, and what helps. */
export function Trouble({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  return (
    <div class="trouble" role="alert">
      <div class="notice-line">
        <span class="any">{error.message}</span>
      </div>
      {error.command && <CommandLine command={error.command} />}
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
