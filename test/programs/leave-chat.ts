// Holds a conversation, puts its query into the background and says where it is; leaves when a line comes.
//   leave-chat.ts HOME CONFIG_DIR CWD SCRIPT
import { once } from "node:events";
import { OpenThreads } from "../../src/agents/threads/open-threads.ts";
import { scriptedRunner } from "../../src/agents/runners/scripted/index.ts";
import { openSessionStore } from "../../src/store/index.ts";
import { isOver } from "../../src/tasks/record/is-over.ts";
import { openTestTasks } from "../support/open-test-tasks.ts";

const [home = "", configDir = "", cwd = "", script = ""] = process.argv.slice(2);
const { tasks, agents } = openTestTasks({ home, configDir, env: { PATH: process.env["PATH"] } });
let told = "";
const threads = new OpenThreads(
  {
    sessions: openSessionStore({ home, configDir, isTaskOver: async (task) => isOver(home, task) }),
    tasks,
    agents,
    runner: scriptedRunner({ script }),
    spec: { name: "scripted", script },
    permission: "allow",
    configDir,
    cwd,
    userHome: cwd,
    env: {},
  },
  {
    tell: (event) => void (told += JSON.stringify(event)),
    takeNotices: async () => [],
    onIdle: () => {},
    onChanged: () => {},
  },
);
await threads.begin();
const sessionId = threads.front.session.id;
void threads.say("first");
while (!told.includes("words")) await new Promise(setImmediate);
const { files, record } = (await threads.background())!.task;
process.stdout.write(`${JSON.stringify({ sessionId, id: record.id, run: files.run })}\n`);
await once(process.stdin, "data");
await threads.leave();
await threads.closeAll();
await tasks.close();
process.exit();
