/** A published agent, as the kit calls it and as Holdfast does. */
export interface RealAgent {
  id: string;
  /** What `--agent` names it; its program is the only one of that name on the PATH. */
  name: string;
  /** How the scripted model changes something that must be asked about: its shell tool, or that with more rights. */
  asksBy: "sh" | "esc";
  /** It is asked for once, before it begins, or not at all. */
  asks?: "once before" | "never";
  /** Its own transcripts are counted, too, and it writes them too late to be known as the same at once. */
  isCountedTwice?: true;
  /** The scripted model has no tool of it that writes a file. */
  hasNoFileTool?: true;
}

export const realAgents: readonly RealAgent[] = [
  { id: "claude", name: "claude", asksBy: "sh" },
  { id: "claude-acp", name: "claude", asksBy: "sh", isCountedTwice: true },
  { id: "codex", name: "codex", asksBy: "sh", asks: "once before", hasNoFileTool: true },
  { id: "codex-acp", name: "codex", asksBy: "esc", hasNoFileTool: true },
  { id: "gemini", name: "gemini", asksBy: "sh" },
  { id: "opencode", name: "opencode", asksBy: "sh" },
  { id: "copilot", name: "copilot", asksBy: "sh" },
  { id: "qwen", name: "qwen", asksBy: "sh" },
  { id: "pi", name: "pi", asksBy: "sh", asks: "never" },
];
