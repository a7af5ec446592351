// What both sides say about a session, in one form.
const PROMPT_CHARACTERS = 60;

// Without the branch: the SDK looks for it in a window at the end, and gives the first one where the last line is longer.
export function listed({ sessionId, updatedAtMs, bytes, cwd, startedAtMs, firstPrompt }) {
  // Each side cuts a long prompt its own way; the beginning must be the same.
  const prompt = firstPrompt?.replaceAll(/\s+/g, " ").slice(0, PROMPT_CHARACTERS);
  return { sessionId, updatedAtMs, bytes, cwd, startedAtMs, firstPrompt: prompt };
}
