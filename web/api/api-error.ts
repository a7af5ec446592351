import type { ErrorAnswer } from "../../src/doors/server/api/index.ts";

/** The server refused, or cannot be reached (`code` "offline"). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The command line that helps. */
  readonly command: string | undefined;

  constructor(status: number, { code, message, next }: ErrorAnswer["error"]) {
    super(message);
    this.status = status;
    this.code = code;
    this.command = next?.command;
  }
}

export async function errorOf(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as ErrorAnswer;
    return new ApiError(response.status, error);
  } catch {
    const message = `The server answered ${response.status} ${response.statusText}`.trim();
    return new ApiError(response.status, { code: "http", message });
  }
}

export function offlineError(): ApiError {
  return new ApiError(0, { code: "offline", message: "The server cannot be reached" });
}
