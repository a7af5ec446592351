import { agentNames, findAgent } from "./runners/find-agents.ts";

/** Every agent that can be asked for by name: the API, which needs a key, and programs on the PATH. */
export function knownAgents(
  variables: Readonly<Record<string, string | undefined>>,
): { name: string; isFound: boolean }[] {
  const hasKey = Boolean(variables["ANTHROPIC_API_KEY"] || variables["ANTHROPIC_AUTH_TOKEN"]);
  return [
    { name: "anthropic", isFound: hasKey },
    ...agentNames.map((name) => ({
      name,
      isFound: findAgent(name, { path: variables["PATH"] }) !== undefined,
    })),
  ];
}
