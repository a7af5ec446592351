import { HoldfastError, codeOf, messageOf } from "../../lib/errors.ts";

/** What a thread is told. */
export type ToThread =
  | { kind: "ask"; id: number; verb: string; asked: unknown }
  | { kind: "open"; id: number; stream: string; asked: unknown }
  /** Pieces were taken: as many more may be sent. */
  | { kind: "took"; id: number; pieces: number }
  | { kind: "give-up"; id: number };

/** What a thread says. */
export type FromThread =
  | { kind: "answer"; id: number; answer: unknown }
  | { kind: "piece"; id: number; piece: unknown }
  | { kind: "end"; id: number }
  | { kind: "failed"; id: number; error: SentError };

/** An error on its way: between threads it would lose its code. */
export interface SentError {
  message: string;
  code: string | undefined;
  /** Absent for a defect. */
  known: { retryable: boolean; fields: Record<string, unknown> } | undefined;
  stack: string | undefined;
}

export function sentError(error: unknown): SentError {
  const known =
    error instanceof HoldfastError
      ? {
          retryable: error.retryable,
          fields: JSON.parse(JSON.stringify(error.fields)) as object as Record<string, unknown>,
        }
      : undefined;
  const stack = error instanceof Error ? error.stack : undefined;
  return { message: messageOf(error), code: codeOf(error), known, stack };
}

export function errorSent({ message, code, known, stack }: SentError): Error {
  const error =
    known && code !== undefined
      ? new HoldfastError(message, { code, ...known })
      : Object.assign(new Error(message), code !== undefined && { code });
  if (stack !== undefined) error.stack = stack;
  return error;
}
