// A process that launches tasks when it is told to, for programs that look at tasks of others: other-launcher.mjs HOME
import { fork } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { openRuntime } from "holdfast";

const SELF = fileURLToPath(import.meta.url);

/** Starts the process. `launch` resolves with the id of the task once it is acknowledged. */
export function openLauncher(home) {
  const child = fork(SELF, [home]);
  return {
    async launch(command) {
      child.send(command);
      const [id] = await once(child, "message");
      return id;
    },
    close: () => child.disconnect(),
  };
}

if (process.argv[1] === SELF) {
  const [home] = process.argv.slice(2);
  fs.mkdirSync(home, { recursive: true, mode: 0o700 });
  const runtime = openRuntime({ home, configDir: path.join(home, "config"), env: process.env });
  process.on("message", (command) => {
    void runtime.tasks.start({ command, cwd: home }).then(({ record }) => process.send(record.id));
  });
  process.on("disconnect", () => void runtime.close());
}
