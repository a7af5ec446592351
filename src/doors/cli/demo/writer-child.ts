// A program for the tour: appends to a session, one entry after the other, each synced, and prints what is
// acknowledged. It is there to be killed. Asked to tear, it writes half of a line and waits for the end.
import fs from "node:fs";
import { createInterface } from "node:readline";
import { openRuntime } from "../../../runtime/open-runtime.ts";

const [home = "", configDir = "", cwd = "", sessionId = ""] = process.argv.slice(2);
const { sessions } = openRuntime({ home, configDir });
const writer = await sessions.openWriter({ cwd, sessionId, durability: "sync" });
const order = { isTearing: false };

const orders = createInterface({ input: process.stdin });
orders.on("line", () => (order.isTearing = true));
orders.on("close", () => process.exit(0));

for (let number = 1; !order.isTearing; number++) {
  const uuid = await writer.append({
    type: "user",
    message: { role: "user", content: `Entry ${number} of the writer that gets killed` },
  });
  process.stdout.write(`acknowledged ${uuid}\n`);
}
const { path } = writer.session;
const offset = fs.statSync(path).size;
fs.appendFileSync(
  path,
  '{"parentUuid":null,"type":"user","message":{"role":"user","content":"This line was never fini',
);
process.stdout.write(`torn ${offset}\n`);
