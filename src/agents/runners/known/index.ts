/**
 * Published agents, one file each: how it is started, what makes it ask, what it calls its tools, where its tokens are.
 * Owns data, and how each one's own session is read; never acts on it: the runners do.
 *
 * I1  Every agent says what its fence is, or that it has none.
 */
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import type { KnownAgent } from "./known-agent.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

/** In the order in which one is chosen when nobody names any; those that must be named are last. */
export const knownAgents: readonly KnownAgent[] = [claude, codex, gemini, opencode, copilot, qwen, pi];

export { readCodexCalls } from "./codex.ts";
export { usageOf, type ModelCall, type ToldCounts } from "./model-call.ts";
export type { AcpHabits, Fence, KnownAgent, KnownStart } from "./known-agent.ts";
