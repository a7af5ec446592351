// The last entries of a conversation by Holdfast: holdfast-last.mjs FILE COUNT HOME
import path from "node:path";
import { openRuntime } from "holdfast";
import { report } from "./report.mjs";

const [file, count, home] = process.argv.slice(2);
const configDir = path.resolve(file, "..", "..", "..");
const { sessions } = openRuntime({ configDir, home });

// Finding it loads the code of both verbs, and "in process" is without imports.
const session = await sessions.find(file);

await report({
  work: async () => sessions.readConversation(session, { last: Number(count) }),
  resultOf: ({ entries }) => entries.map(({ uuid }) => uuid),
});
