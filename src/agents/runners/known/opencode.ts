import type { KnownAgent } from "./known-agent.ts";

const permission = {
  "*": "ask",
  read: "allow",
  glob: "allow",
  grep: "allow",
  list: "allow",
  todowrite: "allow",
};

/** It asks nobody unless its settings say so. */
export const opencode: KnownAgent = {
  name: "opencode",
  starts: [
    {
      command: "opencode",
      args: ["acp"],
      runner: "acp",
      tried: "opencode 1.18.33",
      fence: {
        says: "its permission settings, set to ask for this run",
        env: { OPENCODE_PERMISSION: JSON.stringify(permission) },
      },
    },
  ],
};
