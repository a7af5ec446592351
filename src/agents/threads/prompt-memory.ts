import { codeOf } from "../../lib/errors.ts";
import { appendPrompt } from "../../store/companions/append-prompt.ts";
import { readPromptHistory } from "../../store/companions/prompt-history.ts";
import type { SessionStore } from "../../store/index.ts";

interface MemoryPlace {
  sessions: SessionStore;
  cwd: string;
}

/** Earlier prompts of this folder, oldest first, typed here or in the client. */
export function earlierPrompts({ sessions, cwd }: MemoryPlace, { limit }: { limit: number }): string[] {
  const { prompts } = readPromptHistory({ configDir: sessions.configDir, project: cwd, limit });
  return prompts.map(({ display }) => display).reverse();
}

/** Adds a prompt to the client's history. While the client has it locked the prompt is not kept there: no harm. */
export function rememberPrompt(
  text: string,
  { sessions, cwd, sessionId }: MemoryPlace & { sessionId: string },
): void {
  try {
    appendPrompt(text, { configDir: sessions.configDir, project: cwd, sessionId });
  } catch (error) {
    if (codeOf(error) !== "conflict") throw error;
  }
}
