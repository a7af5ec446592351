import { formatTokens } from "../render/quantities.ts";
import type { CompactionItem } from "./conversation-item.ts";

/** `compacted (auto, 155k → 9k tokens)`, with as much of it as is known. */
export function compactionText({ trigger, tokensBefore, tokensAfter }: CompactionItem): string {
  const tokens = [tokensBefore, tokensAfter].filter((count) => count !== undefined).map(formatTokens);
  const facts = [trigger, tokens.length === 0 ? "" : `${tokens.join(" → ")} tokens`]
    .filter(Boolean)
    .join(", ");
  return facts === "" ? "compacted" : `compacted (${facts})`;
}
