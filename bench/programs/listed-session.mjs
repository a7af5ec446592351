// What both sides say about a session, in one form.
const PROMPT_CHARACTERS = 60;

export function listed({ sessionId, updatedAtMs, bytes, cwd, gitBranch, startedAtMs, firstPrompt }) {
  // Each side cuts a long prompt its own way; the beginning must be the same.
  const prompt = firstPrompt?.replaceAll(/\s+/g, " ").slice(0, PROMPT_CHARACTERS);
  return { sessionId, updatedAtMs, bytes, cwd, gitBranch, startedAtMs, firstPrompt: prompt };
}
