import type { KnownAgent } from "./known-agent.ts";

/** It takes the error for a missing file of ours as a fault, and so could not make a file. */
export const gemini: KnownAgent = {
  name: "gemini",
  starts: [
    {
      command: "gemini",
      args: ["--acp"],
      runner: "acp",
      tried: "gemini-cli 0.61.0",
      fence: { says: "its mode `default`, which asks for edits and commands", mode: "default" },
      habits: { titlesAreCommands: true, usesOwnFiles: true },
    },
  ],
};
