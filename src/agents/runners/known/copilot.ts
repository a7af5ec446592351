import type { KnownAgent } from "./known-agent.ts";

export const copilot: KnownAgent = {
  name: "copilot",
  starts: [
    {
      command: "copilot",
      args: ["--acp"],
      runner: "acp",
      tried: "copilot 1.0.102",
      fence: {
        says: "its mode `agent` with `allow_all` off, which asks for edits and commands",
        mode: "https://agentclientprotocol.com/protocol/session-modes#agent",
        options: { allow_all: "off" },
      },
    },
  ],
};
