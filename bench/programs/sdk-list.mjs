// The Agent SDK's list of all sessions: sdk-list.mjs SDK_FILE
import { report } from "./report.mjs";

const [sdkFile] = process.argv.slice(2);
const { listSessions } = await import(sdkFile);

await report({
  work: () => listSessions(),
  resultOf: (sessions) =>
    sessions.map(({ sessionId, lastModified, fileSize, cwd, gitBranch, createdAt, firstPrompt }) => ({
      sessionId,
      updatedAtMs: lastModified,
      bytes: fileSize,
      cwd,
      gitBranch,
      startedAtMs: createdAt,
      firstPrompt: firstPrompt?.slice(0, 60),
    })),
});
