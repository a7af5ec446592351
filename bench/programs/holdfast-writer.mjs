// One writer of one session, every message awaited before the next: holdfast-writer.mjs FOLDER COUNT
import fs from "node:fs";
import path from "node:path";
import { openRuntime } from "holdfast";
import { agentMessage } from "./agent-message.mjs";
import { report } from "./report.mjs";

const [folder, count] = process.argv.slice(2);
const { sessions } = openRuntime({ home: path.join(folder, "home"), configDir: path.join(folder, "config") });
const writer = await sessions.openWriter({ cwd: folder, durability: "flush" });
await writer.append({ type: "user", message: { role: "user", content: "Go" } });

await report({
  work: async () => {
    for (let number = 0; number < Number(count); number++)
      await writer.append({ type: "assistant", message: agentMessage(number) });
  },
  resultOf: () => fs.readFileSync(writer.session.path, "utf8").split("\n").length - 2,
});
await writer.close();
