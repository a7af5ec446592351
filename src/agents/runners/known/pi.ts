import type { KnownAgent } from "./known-agent.ts";

export const pi: KnownAgent = {
  name: "pi",
  starts: [
    {
      command: "pi-acp",
      args: [],
      runner: "acp",
      tried: "pi 0.87.1 with pi-acp 0.0.34",
      fence: "none",
      habits: { titlesAreCommands: true },
    },
  ],
};
