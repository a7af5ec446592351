import type { KnownAgent } from "./known-agent.ts";

/** Its own lines have the shape of the transcript already, so its adapter is only the second choice. */
export const claude: KnownAgent = {
  name: "claude",
  starts: [
    {
      command: "claude",
      args: [],
      runner: "stream-json",
      dialect: "claude",
      tried: "claude-code 2.1.326",
      fence: { says: "its mode `default`, which asks for what its own settings do not allow" },
    },
    {
      command: "claude-agent-acp",
      args: [],
      runner: "acp",
      tried: "claude-agent-acp 0.99.1",
      fence: {
        says: "its mode `default`, which asks for what its own settings do not allow",
        mode: "default",
      },
    },
  ],
};
