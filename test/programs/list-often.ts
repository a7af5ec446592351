// Lists sessions that grow meanwhile, again and again until its input ends, and says a line for each list. Fails when one
// has counts that the files did not have between its beginning and its end.
// Usage: list-often.ts <config folder> <home>
import fs from "node:fs";
import { holdfastPaths } from "../../src/format/paths.ts";
import { listSessions } from "../../src/store/list/list-sessions.ts";

const [configDir = "", home = ""] = process.argv.slice(2);
const { indexDir } = holdfastPaths(home);
const dir = `${configDir}/projects/-p`;

process.stdin.resume();
while (!process.stdin.readableEnded) {
  const troubles: string[] = [];
  const least = countAll();
  const sessions = listSessions({ configDir, indexDir, onIndexTrouble: (trouble) => troubles.push(trouble) });
  const most = countAll();
  if (sessions.length !== least.size) throw new Error(`${sessions.length} sessions instead of ${least.size}`);
  for (const { path, messageCount = -1 } of sessions) {
    if (messageCount < least.get(path)! || messageCount > most.get(path)!)
      throw new Error(`${path}: ${messageCount}, not ${least.get(path)} to ${most.get(path)}`);
  }
  process.stdout.write(`${["listed", ...troubles].join(" ")}\n`);
  await new Promise(setImmediate);
}

// Each line is a message.
function countAll(): Map<string, number> {
  const paths = fs.readdirSync(dir).map((name) => `${dir}/${name}`);
  return new Map(paths.map((path) => [path, fs.readFileSync(path, "latin1").split("\n").length - 1]));
}
