export function buildWeb(options?: { plugins?: unknown[] }): Promise<void>;
