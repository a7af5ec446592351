/** Earlier prompts that hold what is looked for, whatever the case: the newest first, each once. */
export function findPrompts(history: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase();
  const found = history.filter((prompt) => prompt.toLowerCase().includes(wanted));
  return [...new Set(found.toReversed())];
}
