import { completionsMax } from "./limits.ts";
import type { ChatWorld } from "./chat-world.ts";
import type { CompletedWord, CompletionChoice } from "./state/completion.ts";

/** Finds what a word could become. A later question gives the one before up: it is then undefined. */
export function openCompletions({
  runtime,
  cwd,
}: Pick<ChatWorld, "runtime" | "cwd">): (word: CompletedWord) => Promise<CompletionChoice[] | undefined> {
  let asking = new AbortController();
  return async ({ kind, typed }) => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    try {
      const found =
        kind === "session"
          ? await findSessions(typed)
          : (await runtime.threads.findFiles(typed, { cwd, limit: completionsMax, signal })).map(toChoice);
      return signal.aborted ? undefined : found;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  };

  async function findSessions(typed: string): Promise<CompletionChoice[]> {
    const wanted = typed.toLowerCase();
    const sessions = await runtime.sessions.list({ cwd, limit: completionsMax, counts: false });
    return sessions
      .map(({ sessionId, title, firstPrompt }) => ({
        text: sessionId.slice(0, 8),
        hint: title ?? firstPrompt ?? "(no prompt)",
        id: sessionId,
      }))
      .filter(({ id, hint }) => id.startsWith(wanted) || hint.toLowerCase().includes(wanted))
      .map(({ text, hint }) => ({ text, hint }));
  }
}

function toChoice(text: string): CompletionChoice {
  return { text, hint: "" };
}
