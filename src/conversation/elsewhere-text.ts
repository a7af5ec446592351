import { plural } from "../lib/quantities.ts";
import type { Elsewhere } from "../store/read/elsewhere.ts";

/** One sort of what is not in a conversation, in words. Rejected lines are said one by one, with their places. */
export interface ElsewhereText {
  kind: "branches" | "agents" | "repeated" | "helpers";
  text: string;
}

/** What of a transcript is not in the conversation. */
export function elsewhereTexts({ branches, agents, repeated, helpers }: Elsewhere): ElsewhereText[] {
  const texts: ElsewhereText[] = [
    { kind: "branches", text: `${plural(branches, "message")} on other branches` },
    { kind: "agents", text: `${plural(agents, "message")} of other agents in the same file` },
    { kind: "repeated", text: `${plural(repeated, "message")} written again, of which one is enough` },
    {
      kind: "helpers",
      text: `${plural(helpers.length, "transcript")} of the client's own helpers, which copy lines of this one`,
    },
  ];
  const counts = { branches, agents, repeated, helpers: helpers.length };
  return texts.filter(({ kind }) => counts[kind] > 0);
}
