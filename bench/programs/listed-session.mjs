// What both sides say about a session, in one form.
const PROMPT_CHARACTERS = 60;

// Without the branch: the SDK looks for it in a window at the end, and gives the first one where the last line is longer.
export function listed({ sessionId, updatedAtMs, bytes, cwd, startedAtMs, firstPrompt }) {
  // Each side cuts a long prompt its own way; the beginning must be the same. Cheaply, because it is measured, too: only
  // white space that is no single space is replaced.
  const prompt = firstPrompt?.replaceAll(/[^\S ]\s*| \s+/g, " ").slice(0, PROMPT_CHARACTERS);
  return { sessionId, updatedAtMs, bytes, cwd, startedAtMs, firstPrompt: prompt };
}
