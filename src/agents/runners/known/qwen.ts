import type { KnownAgent } from "./known-agent.ts";

/** In its own default mode a model of its own allows what it takes for safe. */
export const qwen: KnownAgent = {
  name: "qwen",
  starts: [
    {
      command: "qwen",
      args: ["--acp"],
      runner: "acp",
      tried: "qwen-code 0.24.4",
      fence: { says: "its mode `default`, which asks for edits and commands", mode: "default" },
      habits: { tools: { run_shell_command: "Bash", write_file: "Write", edit: "Edit", read_file: "Read" } },
    },
  ],
};
