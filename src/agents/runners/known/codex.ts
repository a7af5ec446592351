import type { KnownAgent } from "./known-agent.ts";

/** Only its adapter can ask in the middle of its work. The adapter's own default reviews by itself and asks nobody. */
export const codex: KnownAgent = {
  name: "codex",
  starts: [
    {
      command: "codex-acp",
      args: [],
      runner: "acp",
      tried: "codex-acp 2.6.0",
      fence: {
        says: "its mode `read-only`: a sandbox, and it asks for whatever needs more",
        mode: "read-only",
      },
      habits: { tools: { exec_command: "Bash", apply_patch: "Edit" } },
    },
    {
      command: "codex",
      args: [],
      runner: "stream-json",
      dialect: "codex",
      tried: "codex 0.169.0",
      fence: {
        says: "its sandbox, which only reads unless one question, asked before it starts, is allowed",
      },
    },
  ],
};
