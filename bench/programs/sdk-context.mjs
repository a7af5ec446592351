// The Agent SDK's live context of a session: sdk-context.mjs SDK_FILE SESSION_ID
import { uuidsInConversationOrder } from "./conversation-order.mjs";
import { report } from "./report.mjs";

const [sdkFile, sessionId] = process.argv.slice(2);
const { getSessionMessages } = await import(sdkFile);

await report({ work: () => getSessionMessages(sessionId), resultOf: uuidsInConversationOrder });
