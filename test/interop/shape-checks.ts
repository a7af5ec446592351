import fs from "node:fs";
import path from "node:path";
import { configPaths, projectKey } from "../../src/format/paths.ts";
import { draw, ofSessions, shapes } from "../support/drawn-session.ts";
import { wrongWith, type Check } from "./checks.ts";

/** The client is asked about a fork: what it gives the model is what Holdfast says of the conversation. */
export const shapeChecks: Check[] = [...shapes, ...ofSessions].map((shape) => ({
  name: `shape: the fork of a session with "${shape}" is resumed whole`,
  async run(home) {
    const session = draw(
      [
        ["turn", 0],
        [shape, 1],
        ["turn", 0],
      ],
      { cwd: home.cwd },
    );
    const { sessionId } = session.builder;
    const file = configPaths(home.configDir).transcriptPath({ projectKey: projectKey(home.cwd), sessionId });
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, session.jsonl);
    const { session: fork } = await home.store.fork(await home.store.find(sessionId));
    return wrongWith(home, fork);
  },
}));
