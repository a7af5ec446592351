// Holdfast's live context of a session: holdfast-context.mjs CONFIG_DIR SESSION_ID HOME
import { openRuntime } from "holdfast";
import { uuidsInConversationOrder } from "./conversation-order.mjs";
import { report } from "./report.mjs";

const [configDir, sessionId, home] = process.argv.slice(2);

// The SDK returns what was said: no attachments, system lines or injected messages.
const wasSaid = ({ type, isMeta }) => (type === "user" || type === "assistant") && isMeta !== true;

await report({
  async work() {
    const { sessions } = openRuntime({ configDir, home });
    return sessions.readConversation(await sessions.find(sessionId), { mode: "context" });
  },
  resultOf: ({ entries }) => uuidsInConversationOrder(entries.filter(wasSaid)),
});
