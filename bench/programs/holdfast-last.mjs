// The last entries of a conversation by Holdfast: holdfast-last.mjs FILE COUNT HOME
import path from "node:path";
import { openRuntime } from "holdfast";
import { report } from "./report.mjs";

const [file, count, home] = process.argv.slice(2);
const configDir = path.resolve(file, "..", "..", "..");
const { sessions } = openRuntime({ configDir, home });

await report({
  work: async () => sessions.readConversation(await sessions.find(file), { last: Number(count) }),
  resultOf: ({ entries }) => entries.map(({ uuid }) => uuid),
});
