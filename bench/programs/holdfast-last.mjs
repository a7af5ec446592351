// The last entries of a conversation by Holdfast: holdfast-last.mjs FILE COUNT
import { readConversation } from "holdfast";
import { report } from "./report.mjs";

const [file, count] = process.argv.slice(2);

await report({
  work: () => readConversation(file, { last: Number(count) }),
  resultOf: ({ entries }) => entries.map(({ uuid }) => uuid),
});
