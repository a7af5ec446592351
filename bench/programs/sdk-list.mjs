// The Agent SDK's list of all sessions: sdk-list.mjs SDK_FILE
import { listed } from "./listed-session.mjs";
import { report } from "./report.mjs";

const [sdkFile] = process.argv.slice(2);
const { listSessions } = await import(sdkFile);

await report({
  work: () => listSessions(),
  resultOf: (sessions) =>
    sessions.map(({ sessionId, lastModified, fileSize, cwd, createdAt, firstPrompt }) =>
      listed({
        sessionId,
        updatedAtMs: lastModified,
        bytes: fileSize,
        cwd,
        startedAtMs: createdAt,
        firstPrompt,
      }),
    ),
});
