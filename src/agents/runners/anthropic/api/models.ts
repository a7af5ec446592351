/** The model of agents for which nobody chose one. */
export const defaultModel = "claude-sonnet-5-5";

// The short names that agent files and people use.
const aliases: Readonly<Record<string, string>> = {
  sonnet: "claude-sonnet-5-5",
  opus: "claude-opus-5-5",
  haiku: "claude-haiku-5-5",
};

/** The first of these that names a model, as the API calls it; `inherit` and nothing name none. */
export function resolveModel(...candidates: readonly (string | undefined)[]): string {
  const chosen = candidates.find((model) => model !== undefined && model !== "" && model !== "inherit");
  return chosen === undefined ? defaultModel : (aliases[chosen] ?? chosen);
}
