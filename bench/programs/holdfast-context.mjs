// Holdfast's live context of a session: holdfast-context.mjs FILE
import { readConversation } from "holdfast";
import { uuidsInConversationOrder } from "./conversation-order.mjs";
import { report } from "./report.mjs";

const [file] = process.argv.slice(2);

// The SDK returns what was said: no attachments, system lines or injected messages.
const wasSaid = ({ type, isMeta }) => (type === "user" || type === "assistant") && isMeta !== true;

await report({
  work: () => readConversation(file, { mode: "context" }),
  resultOf: ({ entries }) => uuidsInConversationOrder(entries.filter(wasSaid)),
});
