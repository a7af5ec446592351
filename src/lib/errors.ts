export interface HoldfastErrorOptions {
  code: string;
  /** True when the same call may succeed later without anything being changed. */
  retryable?: boolean;
  cause?: unknown;
  /** Typed facts about the condition (a pid, a path, candidates), for doors that show them their own way. */
  fields?: Record<string, unknown>;
}

/** A condition that callers handle. Test `code` (docs/errors.md lists them all), not `instanceof`. */
export class HoldfastError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly fields: Record<string, unknown>;

  constructor(message: string, { code, retryable = false, cause, fields = {} }: HoldfastErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "HoldfastError";
    this.code = code;
    this.retryable = retryable;
    this.fields = fields;
  }
}

/** Makes an error with one of a folder's codes. */
export type ErrorMaker<Code extends string> = (
  code: Code,
  message: string,
  options?: Omit<HoldfastErrorOptions, "code">,
) => HoldfastError;

export const makeError: ErrorMaker<string> = (code, message, options = {}) =>
  new HoldfastError(message, { code, ...options });

/** The `code` of any error that has one (`ENOENT`, `conflict`), else undefined. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

/** What anything that was thrown says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
